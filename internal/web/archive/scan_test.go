package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// member is a record as we write it.
func member(t testing.TB, r *outgoing) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.appendTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plain is a record as others write it.
func plain(version, fields, block string) string {
	return fmt.Sprintf("%s\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", version, fields, len(block), block)
}

func zipped(pieces ...string) string {
	var b bytes.Buffer
	for _, p := range pieces {
		w := gzip.NewWriter(&b)
		_, _ = io.WriteString(w, p)
		_ = w.Close()
	}
	return b.String()
}

// scanned tells each record in a line: type, offset, length, alone, block.
func scanned(t testing.TB, file string) ([]string, error) {
	t.Helper()
	var all []string
	err := Scan(t.Context(), strings.NewReader(file), func(rec *WARCRecord) error {
		block, err := io.ReadAll(rec.Body)
		if err != nil {
			return err
		}
		length, alone, err := rec.Finish()
		all = append(all, fmt.Sprintf("%s %d+%d %t %s", rec.Type(), rec.Offset, length, alone, block))
		return err
	})
	return all, err
}

func TestScanReadsAllForms(t *testing.T) {
	one := plain("WARC/1.0", "WARC-Type: Resource\r\n", "one")
	two := plain("WARC/1.1", "warc-type: metadata\r\nX-Folded: a\r\n  b\r\n", "two")
	bare := "WARC/0.18\nWARC-Type: resource\nContent-Length: 4\n\nbare\n\n"
	oneZ, twoZ := len(zipped(one)), len(zipped(two))
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"plain":             {one + two, []string{fmt.Sprintf("resource 0+%d true one", len(one)), fmt.Sprintf("metadata %d+%d true two", len(one), len(two))}},
		"gzip per record":   {zipped(one, two), []string{fmt.Sprintf("resource 0+%d true one", oneZ), fmt.Sprintf("metadata %d+%d true two", oneZ, twoZ)}},
		"gzip as a whole":   {zipped(one + two), []string{"resource 0+0 false one", "metadata 0+0 false two"}},
		"gzip anywhere":     {zipped(one[:30], one[30:]+two[:3], two[3:]), []string{"resource 0+0 false one", fmt.Sprintf("metadata %d+0 false two", len(zipped(one[:30])))}},
		"gap in its member": {zipped(one[:len(one)-4], "\r\n\r\n", two), []string{fmt.Sprintf("resource 0+%d true one", len(zipped(one[:len(one)-4]))), fmt.Sprintf("metadata %d+%d true two", len(zipped(one[:len(one)-4], "\r\n\r\n")), twoZ)}},
		"line feeds only":   {bare + one, []string{fmt.Sprintf("resource 0+%d true bare", len(bare)), fmt.Sprintf("resource %d+%d true one", len(bare), len(one))}},
		"no end of line":    {strings.TrimRight(one, "\r\n"), []string{fmt.Sprintf("resource 0+%d true one", len(one)-4)}},
		"nothing":           {"", nil},
		"empty members":     {zipped("", one, ""), []string{fmt.Sprintf("resource %d+%d true one", len(zipped("")), oneZ)}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := scanned(t, c.file)
			if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%v\ngot  %q\nwant %q", err, got, c.want)
			}
		})
	}
}

func TestScanRefusesDamage(t *testing.T) {
	ok := plain("WARC/1.1", "WARC-Type: resource\r\n", "block")
	z := zipped(ok)
	for name, file := range map[string]string{
		"something else":    "<!doctype html>",
		"future version":    plain("WARC/2.0", "WARC-Type: resource\r\n", ""),
		"no length":         "WARC/1.1\r\nWARC-Type: resource\r\n\r\n",
		"negative length":   "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: -1\r\n\r\n",
		"huge length":       "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"no type":           plain("WARC/1.1", "", "x"),
		"no field":          "WARC/1.1\r\nnonsense\r\n\r\n",
		"cut in the header": ok[:20],
		"cut in the block":  ok[:len(ok)-6],
		"longer than said":  strings.Replace(ok, "Content-Length: 5", "Content-Length: 3", 1),
		"endless header":    "WARC/1.1\r\n" + strings.Repeat("A: b\r\n", maxHead),
		"endless gap":       ok + strings.Repeat("\r\n", maxGap),
		"cut gzip":          z[:len(z)-3],
		"wrong checksum":    z[:len(z)-8] + "xxxx" + z[len(z)-4:],
		"gzip, then else":   z + "garbage",
		"zeros after":       z + strings.Repeat("\x00", 99),
		"ARC in the middle": ok + "http://example.org/ 127.0.0.1 20140216050221 text/html 0\n\n",
		"ARC short line":    "filedesc://x 20140216050221 text/plain 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := scanned(t, file)
			if err == nil {
				t.Error("read")
				return
			}
			wantFault(t, err, "archive_damaged")
		})
	}
}

func TestScanOfARC(t *testing.T) {
	v1 := "filedesc://x.arc 127.0.0.1 20140216050221 text/plain 9\n1 0 Name\n\n" +
		"http://example.org/a b 192.0.2.1 20140216050222 text/html 4\nbody\n"
	v2 := "filedesc://x.arc 127.0.0.1 20140216050221 text/plain 9\n2 0 Name\n\n" +
		"dns:example.org 192.0.2.1 20140216050222 text/dns 200 - - 0 x.arc 4\nbody\n"
	for want, file := range map[string]string{"http://example.org/a b": v1, "dns:example.org": v2} {
		t.Run(want, func(t *testing.T) {
			var got []string
			err := Scan(t.Context(), strings.NewReader(zipped(file)), func(rec *WARCRecord) error {
				got = append(got, rec.Type()+" "+rec.TargetURI()+" "+rec.Header.Get("WARC-Date"))
				return nil
			})
			if err != nil || len(got) != 2 || got[1] != "response "+want+" 2014-02-16T05:02:22Z" {
				t.Errorf("%v: %q", err, got)
			}
		})
	}
}

func TestCheckKnowsTheEncodingsOfDigests(t *testing.T) {
	// SHA-1 of "hello", MD5 of "hello".
	for value, good := range map[string]bool{
		"sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N":          true,
		"sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n":          true,
		"SHA-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d": true,
		"sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=":              true,
		"md5:5d41402abc4b2a76b9719d911017c592":           true,
		"whirlpool:123":                                  true, // unknown: not checked
		"sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA":          false,
		"sha1:short":                                     false,
		"sha256:":                                        false,
	} {
		t.Run(value, func(t *testing.T) {
			file := plain("WARC/1.0", "WARC-Type: resource\r\nWARC-Payload-Digest: "+value+"\r\n", "hello")
			err := Scan(t.Context(), strings.NewReader(file), (*WARCRecord).Check)
			if good && err != nil {
				t.Error(err)
			}
			if !good {
				wantFault(t, err, "digest_mismatch")
			}
		})
	}
}

func TestCheckOfChunkedPayload(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
	raw := block[strings.Index(block, "5\r\n"):]
	for digest, good := range map[string]bool{digestOf([]byte("hello")): true, digestOf([]byte(raw)): true, digestOf(nil): false} {
		t.Run(digest, func(t *testing.T) {
			file := plain("WARC/1.0", "WARC-Type: response\r\nContent-Type: application/http\r\nWARC-Payload-Digest: "+digest+"\r\n", block)
			if err := Scan(t.Context(), strings.NewReader(file), (*WARCRecord).Check); (err == nil) != good {
				t.Errorf("%s: %v", digest, err)
			}
		})
	}
}

// TestScanOfABomb: memory stays small and ctx ends it.
func TestScanOfABomb(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	const size = 48 << 20
	fmt.Fprintf(w, "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n", size)
	for range size >> 20 {
		_, _ = w.Write(make([]byte, 1<<20))
	}
	_ = w.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := Scan(t.Context(), bytes.NewReader(b.Bytes()), (*WARCRecord).Check); err != nil {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d MiB allocated", grown>>20)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := Scan(ctx, bytes.NewReader(b.Bytes()), func(*WARCRecord) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the cancel: %v", err)
	}
}

func FuzzScan(f *testing.F) {
	one := plain("WARC/1.1", "WARC-Type: response\r\nContent-Type: application/http\r\nWARC-Payload-Digest: "+digestOf(nil)+"\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	f.Add([]byte(one))
	f.Add([]byte(zipped(one, one)))
	f.Add([]byte(zipped(one + one)))
	f.Add([]byte("filedesc://x.arc 127.0.0.1 20140216050221 text/plain 9\n1 0 Name\n\nhttp://a/ b 1.2.3.4 20140216050222 text/html 1\nx\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 256<<10 {
			return // deflate packs up to 1:1032
		}
		end := int64(0)
		_ = Scan(t.Context(), bytes.NewReader(file), func(rec *WARCRecord) error {
			_ = rec.Check()
			length, alone, err := rec.Finish()
			if err == nil && alone && (rec.Offset < end || rec.Offset+length > int64(len(file))) {
				t.Errorf("record at %d+%d of %d bytes, after %d", rec.Offset, length, len(file), end)
			}
			end = max(end, rec.Offset+length)
			return err
		})
	})
}
