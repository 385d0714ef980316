package guard

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
)

func readerThatPanics() error {
	var tree []int
	_ = tree[len(tree)]
	return nil
}

func TestAPanicIsLoggedWithItsStackCountedAndToldInASentence(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	const page = "2026/11.warc.gz:12:345"
	for range 2 {
		err := Read(Markdown, page, readerThatPanics)
		if !errors.Is(err, ErrReaderFailed) || curlew.AsFault(err).Sentence != "the page made a reader fail: please report it with the page" {
			t.Errorf("%v", err)
		}
	}
	for _, part := range []string{"stage=markdown", "page=" + page, "index out of range", "readerThatPanics"} {
		t.Run(part, func(t *testing.T) {
			if strings.Count(log.String(), part) != 1 {
				t.Errorf("the log has %q %d times:\n%s", part, strings.Count(log.String(), part), log.String())
			}
		})
	}
	if Panics()[Markdown] != 2 {
		t.Errorf("counted %v", Panics())
	}
	if err := Read(Links, page, func() error { return io.EOF }); err != io.EOF || Panics()[Links] != 0 {
		t.Errorf("%v, %v", err, Panics())
	}
}
