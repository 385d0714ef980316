package guard

import (
	"bytes"
	"context"
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

// logged collects what is logged during a test.
func logged(t *testing.T) *bytes.Buffer {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(was) })
	return &log
}

func TestAPanicIsLoggedWithItsStackCountedAndToldInASentence(t *testing.T) {
	log := logged(t)
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

func TestThePanicOfACallIsLoggedWithThePageThatItTookInLast(t *testing.T) {
	for want, pages := range map[string][]string{"request 7": nil, "2026/11.warc.gz:9": {"https://a.example/", "2026/11.warc.gz:9"}} {
		t.Run(want, func(t *testing.T) {
			log := logged(t)
			err := Call(t.Context(), RPC, "request 7", func(ctx context.Context) error {
				for _, page := range pages {
					Takes(ctx, page)
				}
				return readerThatPanics()
			})
			if !errors.Is(err, ErrReaderFailed) || !strings.Contains(log.String(), want) {
				t.Errorf("%v, the log lacks %q:\n%s", err, want, log)
			}
		})
	}
	Takes(t.Context(), "a page of no call")
}

func TestAReaderThatHasEnoughDidNotFail(t *testing.T) {
	log, before := logged(t), Panics()[Links]
	if err := Read(Links, "p", func() error { panic(ErrEnough) }); err != ErrEnough || log.Len() > 0 || Panics()[Links] != before {
		t.Errorf("%v, %s", err, log)
	}
}

func TestAPanicIsToldOfWhatWasRead(t *testing.T) {
	logged(t)
	for stage, want := range map[Stage]string{Extract: "page", Body: "page", List: "list", Blueprint: "blueprint", Picture: "picture"} {
		t.Run(string(stage), func(t *testing.T) {
			sentence := curlew.AsFault(Read(stage, "", readerThatPanics)).Sentence
			if sentence != "the "+want+" made a reader fail: please report it with the "+want {
				t.Error(sentence)
			}
		})
	}
}
