package teach

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/ops/owner"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// Bounds of the drafts that are kept.
const (
	keepFor = 24 * time.Hour
	mostOf  = 20 // trainings of one org; the oldest goes
)

// TrainingStore keeps trainings in a folder, those of each org apart, for a day.
type TrainingStore struct {
	folder string
	now    func() time.Time
	mu     sync.Mutex // of what is written
}

// OpenTrainings keeps trainings in a folder, which is made when the first one begins.
func OpenTrainings(folder string, now func() time.Time) *TrainingStore {
	return &TrainingStore{folder: folder, now: now}
}

var idPattern = regexp.MustCompile(`^les_[0-9a-z]{26}$`)

// place is the folder of a training. Names come from addresses, so anything but a name of
// ours is not there.
func (d *TrainingStore) place(org curlew.OrgID, id string) (string, error) {
	if _, err := curlew.ParseOrgID(string(org)); err != nil || !idPattern.MatchString(id) {
		return "", gone(id)
	}
	return filepath.Join(d.folder, string(org), id), nil
}

func gone(id string) *curlew.Fault {
	return curlew.Permanent(curlew.ErrNotFound, "draft %s not found: drafts are kept for a day; begin again",
		text.CutBytes(strings.ToValidUTF8(id, ""), 40))
}

// create gives a training its id and keeps it with its page.
func (d *TrainingStore) create(l *Training) error {
	l.ID = "les_" + strings.ToLower(rand.Text()[:26])
	folder, err := d.place(l.Org, l.ID)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tidy(l.Org)
	if err := owner.MkdirAll(folder, 0o700); err != nil {
		return unwritable(err)
	}
	if err := d.write(folder, ThePage+".gz", l.Material(ThePage).Body); err != nil {
		return err
	}
	return d.keep(folder, l)
}

// Save keeps a training as it is now, unless somebody else changed it meanwhile.
func (l *Training) Save() error {
	folder, err := l.store.place(l.Org, l.ID)
	if err != nil {
		return err
	}
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	is, err := l.store.read(folder, l.ID)
	if err != nil {
		return err
	}
	if is.Revision != l.Revision {
		return curlew.Temporary("changed_meanwhile", "this draft was changed in another window: go back and reload it")
	}
	for name := range l.fresh {
		if !l.Has(name) {
			continue
		}
		if err := l.store.write(folder, name+".gz", l.pages[name].Body); err != nil {
			return err
		}
	}
	l.fresh = map[string]bool{}
	l.Revision++
	return l.store.keep(folder, l)
}

// Close forgets a training that has served.
func (l *Training) Close() {
	if folder, err := l.store.place(l.Org, l.ID); err == nil {
		_ = os.RemoveAll(folder) // what stays lapses
	}
}

// Open reads a training of an org.
func (d *TrainingStore) Open(org curlew.OrgID, id string) (*Training, error) {
	folder, err := d.place(org, id)
	if err != nil {
		return nil, err
	}
	return d.read(folder, id)
}

func (d *TrainingStore) read(folder, id string) (*Training, error) {
	text, err := os.ReadFile(filepath.Join(folder, "training.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, gone(id)
	}
	if err != nil {
		return nil, err
	}
	l := &Training{store: d, pages: map[string]extract.Material{}, docs: map[string]*dom.Document{}, fresh: map[string]bool{}}
	if err := json.Unmarshal(text, l); err != nil || d.now().Sub(l.CreatedAt) > keepFor {
		return nil, gone(id)
	}
	return l, nil
}

func (d *TrainingStore) keep(folder string, l *Training) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return replace(filepath.Join(folder, "training.json"), text)
}

func (d *TrainingStore) write(folder, name string, body []byte) error {
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	_, _ = w.Write(body) // into memory
	_ = w.Close()
	return replace(filepath.Join(folder, name), small.Bytes())
}

// body reads a page of a training.
func (d *TrainingStore) body(org curlew.OrgID, id, name string) ([]byte, error) {
	folder, err := d.place(org, id)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(folder, name+".gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, MostBody+1))
}

// replace writes a file whole or not at all.
func replace(path string, text []byte) error {
	draft, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return unwritable(err)
	}
	defer os.Remove(draft.Name())
	owner.Inherit(draft)
	_, err = draft.Write(text)
	if closing := draft.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}

func unwritable(err error) *curlew.Fault {
	return curlew.Temporary("unwritable", "the draft cannot be kept: the data folder cannot be written").Because(err)
}

// tidy takes away what has lapsed, of all orgs, and the oldest of an org that has many.
func (d *TrainingStore) tidy(org curlew.OrgID) {
	orgs, _ := os.ReadDir(d.folder) // what cannot be read is left for later
	for _, one := range orgs {
		type lying struct {
			path string
			at   time.Time
		}
		var all []lying
		entries, _ := os.ReadDir(filepath.Join(d.folder, one.Name()))
		for _, e := range entries {
			path := filepath.Join(d.folder, one.Name(), e.Name())
			if info, err := os.Stat(filepath.Join(path, ThePage+".gz")); err == nil {
				all = append(all, lying{path, info.ModTime()})
			}
		}
		slices.SortFunc(all, func(a, b lying) int { return cmp.Compare(b.at.UnixNano(), a.at.UnixNano()) })
		for i, l := range all {
			if time.Since(l.at) > keepFor || one.Name() == string(org) && i >= mostOf-1 {
				_ = os.RemoveAll(l.path)
			}
		}
	}
}
