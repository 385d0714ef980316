package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Write archives exchanges and returns one entry for each, in their order. When
// it returns without an error, all of it is durable. When it returns an error,
// nothing may be referenced; records that reached the disk nevertheless are
// without consequence. Bodies are not kept hold of.
//
// Those who write at the same time share one sync of the disk.
func (a *Archive) Write(ctx context.Context, exchanges ...Exchange) ([]Entry, error) {
	if len(exchanges) == 0 {
		return nil, nil
	}
	parts := make([]*part, 0, len(exchanges))
	for _, x := range exchanges {
		p, err := a.prepare(ctx, x)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	b, err := a.join(parts)
	if err != nil {
		return nil, err
	}
	select {
	case <-b.done:
	case a.turn <- struct{}{}:
		a.commit(ctx, b)
		<-a.turn
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b.err != nil {
		return nil, b.err
	}
	entries := make([]Entry, len(parts))
	for i, p := range parts {
		entries[i] = p.entry
	}
	return entries, nil
}

// part is one exchange ready to be written.
type part struct {
	data  *bytes.Buffer
	entry Entry
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled keeps a rare huge page from staying in memory for good.
const maxPooled = 1 << 20

func (p *part) free() {
	if p.data.Cap() <= maxPooled {
		p.data.Reset()
		buffers.Put(p.data)
	}
	p.data = nil
}

// prepare decides on a revisit and compresses; it needs no turn.
func (a *Archive) prepare(ctx context.Context, x Exchange) (*part, error) {
	x, target, err := x.normal(a.now())
	if err != nil {
		return nil, err
	}
	e := Entry{URL: x.URL, At: x.At, Status: x.Status, ContentType: x.Header.Get("Content-Type"),
		Digest: digestOf(x.Body), Length: int64(len(x.Body))}
	kept, err := a.kept(ctx, e)
	if err != nil {
		return nil, err
	}
	if kept != nil {
		e.RevisitOf = kept.Ref
	}
	p := &part{entry: e}
	return p, a.pack(ctx, p, x, target, kept)
}

// pack compresses the two records of an exchange, on as many processors as
// there are.
func (a *Archive) pack(ctx context.Context, p *part, x Exchange, target *url.URL, kept *Entry) error {
	select {
	case a.compress <- struct{}{}:
		defer func() { <-a.compress }()
	case <-ctx.Done():
		return ctx.Err()
	}
	responseID, err := a.newID()
	if err != nil {
		return err
	}
	requestID, err := a.newID()
	if err != nil {
		return err
	}
	p.data = buffers.Get().(*bytes.Buffer)
	if err := responseRecord(responseID, x, p.entry.Digest, kept).appendTo(p.data); err != nil {
		return err
	}
	return requestRecord(requestID, responseID, x, x.requestHead(target)).appendTo(p.data)
}

// kept finds where the payload is archived already; nil when it has to be
// written, as an empty one always is.
func (a *Archive) kept(ctx context.Context, e Entry) (*Entry, error) {
	if a.known == nil || e.Length == 0 {
		return nil, nil
	}
	k, ok, err := a.known(ctx, e.Digest)
	if err != nil {
		return nil, err
	}
	if !ok || k.RevisitOf != "" || k.Digest != e.Digest {
		return nil, nil
	}
	there, err := a.holds(ctx, k.Ref)
	if err != nil || !there {
		return nil, err
	}
	return &k, nil
}

// holds says whether something stands where ref points: a revisit of what was
// deleted would lose the payload.
func (a *Archive) holds(ctx context.Context, ref Ref) (bool, error) {
	file, offset, length, err := ref.split()
	if err != nil {
		return false, nil
	}
	r, err := a.blobs.Range(ctx, file, offset+length-1, 1)
	if errors.Is(err, ErrMissing) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer r.Close()
	_, err = io.ReadFull(r, make([]byte, 1))
	return err == nil, nil
}

// batch is what one sync makes durable.
type batch struct {
	parts []*part
	done  chan struct{}
	err   error
}

// join adds to the batch that gathers.
func (a *Archive) join(parts []*part) (*batch, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, curlew.Temporary("archive_closed", "the archive is closed: Curlew is stopping")
	}
	if a.gathering == nil {
		a.gathering = &batch{done: make(chan struct{})}
	}
	a.gathering.parts = append(a.gathering.parts, parts...)
	return a.gathering, nil
}

// commit writes the batch unless somebody did already. The caller has the turn,
// so the batch either gathers still or is done.
func (a *Archive) commit(ctx context.Context, b *batch) {
	a.mu.Lock()
	if a.gathering != b {
		a.mu.Unlock()
		return
	}
	a.gathering = nil
	a.mu.Unlock()
	// Others wait for this batch: the ctx of one of them must not end it.
	if err := a.flush(context.WithoutCancel(ctx), b.parts); err != nil {
		// After a failed sync nobody knows what the disk holds beyond what was
		// synced before: the file ends there. If even that fails, Settle does it.
		_ = a.seal()
		b.err = explainWrite(err)
	}
	for _, p := range b.parts {
		p.free()
	}
	close(b.done)
}

// flush appends the parts, in more than one file if need be, and syncs.
func (a *Archive) flush(ctx context.Context, parts []*part) error {
	for _, p := range parts {
		length := int64(p.data.Len())
		if a.file.AppendFile != nil && a.file.size+length > a.maxFile {
			if err := a.sync(); err != nil {
				return err
			}
			_ = a.seal() // all of it is durable; an unsealed file is left to Settle
			a.settleSoon()
		}
		if a.file.AppendFile == nil {
			if err := a.create(ctx); err != nil {
				return err
			}
		}
		p.entry.Ref = makeRef(a.file.name, a.file.size, length)
		if err := a.append(p.data.Bytes()); err != nil {
			return err
		}
	}
	return a.sync()
}
