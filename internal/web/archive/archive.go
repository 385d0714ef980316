package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// DefaultMaxFile is the size at which a file is sealed and the next one begun.
const DefaultMaxFile = 256 << 20

// largestMaxFile keeps a file within one upload: S3 takes at most 5 GiB.
const largestMaxFile = 4 << 30

// PayloadLookup finds the entry that keeps the payload with the given digest. It may
// be asked by many goroutines at once. An entry that is a revisit itself, or
// whose file is gone, is not used. Whoever hands out an entry must keep its file
// from Prune until the revisit is recorded.
type PayloadLookup func(ctx context.Context, digest string) (Entry, bool, error)

// Options says where and how to archive. Only Blobs is required.
type Options struct {
	Blobs    Blobs
	MaxFile  int64            // 0 means DefaultMaxFile
	Known    PayloadLookup    // nil means that every payload is kept anew
	Software string           // for the warcinfo: product, version, contact
	Host     string           // for file names; "" means the machine's name
	Now      func() time.Time // nil means time.Now
	Random   io.Reader        // nil means crypto/rand
}

// Archive writes to one current file and reads from all of them. Many
// goroutines may use it at once.
type Archive struct {
	blobs     Blobs
	maxFile   int64
	known     PayloadLookup
	software  string
	host      string
	now       func() time.Time
	randomMu  sync.Mutex
	random    io.Reader
	compress  chan struct{} // as many tokens as there are processors
	turn      chan struct{} // held by the one who writes to the current file
	file      current       // belongs to the holder of turn
	mu        sync.Mutex
	gathering *batch
	closed    bool
	settling  sync.Mutex
	upkeep    sync.WaitGroup
	stop      context.CancelFunc
	upkeepCtx context.Context
}

// Open opens the archive and settles what earlier processes left behind. The
// first file is created with the first Write.
func Open(ctx context.Context, o Options) (*Archive, error) {
	if o.Blobs == nil {
		return nil, curlew.Permanent("bad_archive", "the archive has no location: name a folder or a bucket")
	}
	o.MaxFile = cmp.Or(o.MaxFile, DefaultMaxFile)
	if o.MaxFile < 0 || o.MaxFile > largestMaxFile {
		return nil, curlew.Permanent("bad_archive", "archive files cannot hold %d bytes: at most %d", o.MaxFile, int64(largestMaxFile))
	}
	if o.Host == "" {
		o.Host, _ = os.Hostname() // "" becomes "host"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	a := &Archive{
		blobs: o.Blobs, maxFile: o.MaxFile, known: o.Known, software: o.Software,
		host: hostLabel(o.Host), now: o.Now, random: o.Random,
		compress: make(chan struct{}, runtime.GOMAXPROCS(0)),
		turn:     make(chan struct{}, 1),
	}
	a.upkeepCtx, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	// What cannot be settled now can be later: a server that is down must not
	// keep Curlew from starting.
	if err := a.Settle(ctx); err != nil && !temporary(err) {
		a.stop()
		return nil, err
	}
	return a, nil
}

func temporary(err error) bool {
	var f *curlew.Fault
	return errors.As(err, &f) && f.Kind == curlew.KindTemporary
}

var notHost = regexp.MustCompile(`[^a-z0-9.]+`)

// hostLabel makes any host name fit for a file name.
func hostLabel(host string) string {
	label := notHost.ReplaceAllString(strings.ToLower(host), "-")
	label = strings.Trim(label[:min(len(label), 40)], ".-")
	if label == "" {
		return "host"
	}
	return label
}

// Settle finishes what was left half-done in the store: files of dead processes
// are sealed, sealed files uploaded. Open, Rotate and Close do it as well; after
// a failure, calling it from time to time brings the rest home.
func (a *Archive) Settle(ctx context.Context) error {
	a.settling.Lock()
	defer a.settling.Unlock()
	return a.blobs.Settle(ctx)
}

// settleSoon settles in the background. What fails is done by the next one.
func (a *Archive) settleSoon() {
	a.upkeep.Go(func() { _ = a.Settle(a.upkeepCtx) })
}

// Rotate seals the current file, if there is one. Until then a file on S3 can
// be read only on the machine that writes it.
func (a *Archive) Rotate(ctx context.Context) error {
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := a.seal()
	<-a.turn
	return errors.Join(err, a.Settle(ctx))
}

// Close writes what waits, seals the current file and settles. Whatever ctx
// leaves no time for is done by the next Open.
func (a *Archive) Close(ctx context.Context) error {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return nil
	}
	a.closed = true
	b := a.gathering
	a.mu.Unlock()
	a.turn <- struct{}{}
	if b != nil {
		a.commit(ctx, b)
	}
	err := a.seal()
	<-a.turn
	a.stop()
	a.upkeep.Wait()
	return errors.Join(err, a.Settle(ctx))
}

// newID makes the id of a record: a random UUID, RFC 9562 version 4.
func (a *Archive) newID() (string, error) {
	raw, err := a.randomBytes(16)
	if err != nil {
		return "", err
	}
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]), nil
}

func (a *Archive) randomBytes(n int) ([]byte, error) {
	a.randomMu.Lock()
	defer a.randomMu.Unlock()
	raw := make([]byte, n)
	if _, err := io.ReadFull(a.random, raw); err != nil {
		return nil, fmt.Errorf("no randomness for the archive: %w", err)
	}
	return raw, nil
}

// current is the file that is being appended to.
type current struct {
	AppendFile
	name   string
	size   int64
	synced int64 // up to here, readers were promised something
}

// create begins a new file with its warcinfo.
func (a *Archive) create(ctx context.Context) error {
	id, err := a.newID()
	if err != nil {
		return err
	}
	for range 8 { // a taken name is next to impossible once
		serial, err := a.randomBytes(4)
		if err != nil {
			return err
		}
		now := a.now()
		name := fmt.Sprintf("%s-%s-%d-%x.warc.gz", now.UTC().Format("20060102150405"), a.host, os.Getpid(), serial)
		file, err := a.blobs.Create(ctx, name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		a.file = current{AppendFile: file, name: name}
		var info bytes.Buffer
		if err := infoRecord(id, name, a.software, now).appendTo(&info); err != nil {
			return err
		}
		return a.append(info.Bytes())
	}
	return curlew.Temporary("archive_names", "no free name for an archive file was found")
}

func (a *Archive) append(data []byte) error {
	n, err := a.file.Write(data)
	a.file.size += int64(n)
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return nil
}

func (a *Archive) sync() error {
	if err := a.file.Sync(); err != nil {
		return fmt.Errorf("sync archive: %w", err)
	}
	a.file.synced = a.file.size
	return nil
}

// seal ends the current file at what is durable.
func (a *Archive) seal() error {
	if a.file.AppendFile == nil {
		return nil
	}
	file := a.file
	a.file = current{}
	return explainWrite(file.Seal(file.synced))
}
