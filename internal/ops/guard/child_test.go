package guard

import (
	"bytes"
	"errors"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

func TestMain(m *testing.M) {
	ServeChildren(os.Args[1:], map[string]ChildReader{
		"echo": func(file []byte) ([]byte, error) { return file, nil },
		"loop": func([]byte) ([]byte, error) {
			for {
			}
		},
		"bomb":      func([]byte) ([]byte, error) { return exploded(), nil },
		"deep":      func(file []byte) ([]byte, error) { return []byte{byte(deep(0))}, nil },
		"panic":     func([]byte) ([]byte, error) { panic("broken") },
		"partly":    partly,
		"complain":  func([]byte) ([]byte, error) { return nil, errors.New("it ends in the middle") },
		"long":      func([]byte) ([]byte, error) { return make([]byte, 1<<20), nil },
		"surrounds": surrounds,
	})
	os.Exit(m.Run())
}

// raced says whether the race detector is at work.
var raced bool

func exploded() []byte {
	var all [][]byte
	for {
		all = append(all, bytes.Repeat([]byte("x"), 16<<20))
		if len(all) > 4096 {
			return slices.Concat(all...)
		}
	}
}

// partly reads what comes before and after a part at which it panics.
func partly([]byte) ([]byte, error) {
	err := Read(File, "", func() error { panic("a broken part") })
	if !errors.Is(err, ErrReaderFailed) {
		return nil, err
	}
	return []byte("the rest"), nil
}

func deep(n int) int {
	if n < 0 {
		return 0
	}
	return deep(n+1) + 1
}

// surrounds tells what of the machine is within reach.
func surrounds([]byte) ([]byte, error) {
	said := strings.Join(os.Environ(), " ")
	if c, err := net.Dial("udp", "127.0.0.1:9"); err == nil {
		said += " network " + c.LocalAddr().String()
	}
	if _, err := os.ReadFile("/etc/hostname"); err == nil {
		said += " files"
	}
	if _, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); err == nil {
		said += " processes"
	}
	return []byte(said), nil
}

func TestWhatAFileDoesToItsReaderIsASentence(t *testing.T) {
	for reader, want := range map[string]string{
		"loop":     "the LOOP file cannot be read: reading it takes too long",
		"bomb":     "the BOMB file cannot be read: reading it takes too much memory",
		"deep":     "the DEEP file cannot be read: it is nested too deeply",
		"panic":    "the PANIC file cannot be read: it made its reader crash",
		"complain": "the COMPLAIN file cannot be read: it ends in the middle",
		"long":     "the LONG file cannot be read: its text is too long",
	} {
		t.Run(reader, func(t *testing.T) {
			limits := ChildLimits{CPU: 20 * time.Second, Memory: 256 << 20, Output: 1 << 16}
			if reader == "loop" {
				limits.CPU = time.Second
			}
			if raced && (reader == "bomb" || reader == "deep") {
				want = "the " + strings.ToUpper(reader) + " file cannot be read: it made its reader crash"
			}
			_, err := ReadInChild(reader, "https://a.example/file", []byte("%file"), limits)
			if !errors.Is(err, ErrFileUnreadable) || curlew.AsFault(err).Sentence != want {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAChildGivesWhatItReadAndReachesNothingElse(t *testing.T) {
	t.Setenv("SECRET", "never told")
	limits := ChildLimits{CPU: 5 * time.Second, Memory: 256 << 20, Output: 8 << 20}
	file := bytes.Repeat([]byte("words "), 100_000)
	if got, err := ReadInChild("echo", "", file, limits); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, err := ReadInChild("surrounds", "", nil, limits); err != nil || len(got) > 0 {
		t.Errorf("it reaches %s, %v", got, err)
	}
}

func TestAPanicInAChildIsLoggedWithItsPageAndCounted(t *testing.T) {
	limits := ChildLimits{CPU: 5 * time.Second, Memory: 256 << 20, Output: 8 << 20}
	for reader, c := range map[string]struct {
		said, stack string
		reads       bool
	}{
		"panic":  {"panic=broken", "child_test.go", false},
		"partly": {`panic="a broken part"`, "guard.partly", true},
		"deep":   {"nested too deeply", "guard.deep", false},
	} {
		if raced && reader == "deep" {
			continue
		}
		t.Run(reader, func(t *testing.T) {
			log, before := logged(t), Panics()[File]
			page := "2026/11.warc.gz:" + reader
			out, err := ReadInChild(reader, page, []byte("%file"), limits)
			if c.reads != (err == nil && string(out) == "the rest") {
				t.Errorf("read %q, %v", out, err)
			}
			lacks := func(part string) bool { return !strings.Contains(log.String(), part) }
			if parts := []string{"stage=file", "page=" + page, c.said, c.stack}; slices.ContainsFunc(parts, lacks) {
				t.Errorf("the log lacks one of %q:\n%s", parts, log)
			}
			if n := Panics()[File] - before; n != 1 {
				t.Errorf("%d panics were counted", n)
			}
		})
	}
}
