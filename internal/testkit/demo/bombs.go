package demo

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"sync"
)

const (
	bombBlock  = 1 << 20 // bytes of zeros in one block
	bombBlocks = 1 << 10 // blocks in a bomb: 1 GiB unpacked, about 1 MiB packed
)

func rudeBombs() []rudeness {
	return []rudeness{
		{"/bomb/gzip", "1 GiB of zeros in 1 MiB of gzip", streamed(gzipBomb)},
		{"/bomb/deflate", "1 GiB of zeros in 1 MiB of deflate", streamed(deflateBomb)},
		{"/bomb/plain", "1 GiB of zeros as they are", streamed(plainBomb)},
	}
}

// bombParts are the packed first block and the packed form of every block after
// it. Each ends at a byte boundary and refers only to zeros, so that a bomb is
// a matter of sending the second one many times: no memory, no work.
var bombParts = sync.OnceValues(func() (first, next []byte) {
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	zeros := make([]byte, 64<<10)
	pack := func() []byte {
		out.Reset()
		for range bombBlock / len(zeros) {
			_, _ = z.Write(zeros) // a buffer takes everything
		}
		_ = z.Flush()
		return bytes.Clone(out.Bytes())
	}
	return pack(), pack()
})

var lastBlock = []byte{0x01, 0x00, 0x00, 0xff, 0xff} // RFC 1951: final, stored, empty

// sendBomb writes the packed zeros between a head and a tail.
func sendBomb(w http.ResponseWriter, r *http.Request, head []byte, tail func() []byte) {
	first, next := bombParts()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if _, err := w.Write(append(head, first...)); err != nil {
		return
	}
	for range bombBlocks - 1 {
		if _, err := w.Write(next); err != nil || r.Context().Err() != nil {
			return
		}
	}
	_, _ = w.Write(append(bytes.Clone(lastBlock), tail()...))
}

func gzipBomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	sendBomb(w, r, []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}, func() []byte {
		zeros, sum := make([]byte, 64<<10), uint32(0)
		for range bombBlocks * (bombBlock / len(zeros)) {
			sum = crc32.Update(sum, crc32.IEEETable, zeros)
		}
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, sum), bombBlocks*bombBlock)
	})
}

// deflateBomb is a zlib stream, as HTTP means it. Its checksum over zeros alone
// is known without counting (RFC 1950): A stays 1, B is the length.
func deflateBomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "deflate")
	sendBomb(w, r, []byte{0x78, 0xda}, func() []byte {
		return binary.BigEndian.AppendUint32(nil, uint32(bombBlocks*bombBlock%65521)<<16|1)
	})
}

func plainBomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	zeros := make([]byte, 64<<10)
	for range bombBlocks * (bombBlock / len(zeros)) {
		if _, err := w.Write(zeros); err != nil || r.Context().Err() != nil {
			return
		}
	}
}
