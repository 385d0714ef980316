package archive

import (
	"bytes"
	"context"
	"fmt"

	"github.com/klauspost/compress/gzip"
)

// Erase overwrites exchanges with records of the same length that hold nothing, so that all others stay where they are, and
// returns those that are gone: a file to which another process writes is left for later.
func (a *Archive) Erase(ctx context.Context, refs ...Ref) (erased []Ref, err error) {
	if err := a.Rotate(ctx); err != nil || len(refs) == 0 {
		return nil, err
	}
	all, err := a.blobs.List(ctx)
	if err != nil {
		return nil, err
	}
	state := map[string]FileState{}
	for _, b := range all {
		state[b.Name] = b.State
	}
	for _, ref := range refs {
		file, offset, length, err := ref.split()
		if err != nil {
			return erased, err
		}
		switch state[file] {
		case "": // it went before
		case Sealed:
			if err := a.overwrite(ctx, file, offset, length); err != nil {
				return erased, err
			}
		default:
			continue
		}
		erased = append(erased, ref)
	}
	return erased, nil
}

func (a *Archive) overwrite(ctx context.Context, file string, offset, length int64) error {
	id, err := a.newID()
	if err != nil {
		return err
	}
	blank, err := blankRecord(length, func(body int64) *outgoing {
		r := &outgoing{kind: "metadata", head: []byte("erased"), body: bytes.Repeat([]byte(" "), int(body))}
		r.add("WARC-Record-ID", id)
		r.add("WARC-Date", a.now().UTC().Format(warcDate))
		r.add("Content-Type", "text/plain")
		return r
	})
	if err != nil {
		return err
	}
	return a.blobs.Replace(ctx, file, offset, blank)
}

// blankRecord is a record of that many bytes. What does not fit into its block stands in a field of the compressed format that
// readers pass over.
func blankRecord(length int64, of func(body int64) *outgoing) ([]byte, error) {
	empty, err := pack(of(0), nil)
	if err != nil {
		return nil, err
	}
	// Parts of 65,535 bytes cost five each, and the length of the block is written in digits.
	blank := of(max(0, length-int64(len(empty))-length/4000-64))
	packed, err := pack(blank, nil)
	if rest := length - int64(len(packed)); err == nil && rest > 0 {
		packed, err = pack(blank, make([]byte, max(0, rest-2)))
	}
	if err == nil && int64(len(packed)) != length {
		err = fmt.Errorf("a record of %d bytes cannot be overwritten with one of %d", length, len(packed))
	}
	return packed, err
}

// pack writes a record without compressing it, with padding in the head of its member.
func pack(r *outgoing, padding []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
	if err != nil {
		return nil, err
	}
	w.Extra = padding
	err = r.writeTo(w)
	return out.Bytes(), err
}
