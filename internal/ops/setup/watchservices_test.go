package setup

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// counted keeps what is told.
type counted []instrument.Happening

func (c *counted) Count(h instrument.Happening) { *c = append(*c, h) }

func TestAServiceThatIsAwayIsToldOnceCountedAndShown(t *testing.T) {
	cfg := config.Default()
	cfg.Data, cfg.Mail.From = t.TempDir(), "curlew@example.org"
	cfg.Mail.Server = config.MailServer{Host: "127.0.0.1", Port: 1} // where nobody listens
	var log bytes.Buffer
	i, err := Open(t.Context(), cfg, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	var told counted
	ctx := instrument.With(t.Context(), &told, nil)
	for range 3 {
		i.tryServices(ctx, "one")
	}
	i.tryServices(ctx, "two") // another process sees the same
	troubles, err := i.Store.ServiceTroubles(t.Context())
	if err != nil || len(troubles) != 1 || troubles[0].Service != curlew.ServiceMail || troubles[0].Failures != 4 {
		t.Errorf("kept: %+v, %v", troubles, err)
	}
	if n := strings.Count(log.String(), "a service does not work"); n != 2 || !strings.Contains(log.String(), "deliveries by e-mail wait") {
		t.Errorf("logged %d times by two processes: %s", n, &log)
	}
	if len(told) != 4 {
		t.Errorf("counted: %v", told)
	}
	i.Config.Mail.Server = mailServer(t)
	for _, process := range []string{"one", "two", "two"} {
		i.tryServices(ctx, process)
	}
	if troubles, err := i.Store.ServiceTroubles(t.Context()); err != nil || len(troubles) != 0 {
		t.Errorf("after it works again: %+v, %v", troubles, err)
	}
	if n := strings.Count(log.String(), "a service works again"); n != 2 {
		t.Errorf("its return was logged %d times: %s", n, &log)
	}
}

// A bucket that is away keeps pages on this machine, and says so.
func TestPagesThatCannotReachTheBucketDoNotWaitWithoutAWord(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "a")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "b")
	cfg := config.Default()
	cfg.Data, cfg.Fetch.Browser = t.TempDir(), "off"
	cfg.Archive.Location = "s3://curlew/pages?endpoint=http://127.0.0.1:1"
	var log bytes.Buffer
	i, err := Open(t.Context(), cfg, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if err := i.OpenReading(t.Context(), cfg.Archive.Location); err != nil {
		t.Fatal(err)
	}
	i.tryServices(t.Context(), "one")
	if !strings.Contains(log.String(), "a service does not work") {
		t.Errorf("while nothing waits: %s", &log)
	}
	file, err := i.Reading.blobs.Create(t.Context(), "20261117000000-a-1-0123abcd.warc.gz")
	if err == nil {
		_, err = file.Write([]byte("page"))
	}
	if err == nil {
		err = file.Seal(4)
	}
	if err != nil {
		t.Fatal(err)
	}
	i.tryServices(t.Context(), "one")
	troubles, err := i.Store.ServiceTroubles(t.Context())
	if err != nil || len(troubles) != 1 || troubles[0].Service != curlew.ServiceArchive || !strings.Contains(log.String(), "archived pages wait") {
		t.Errorf("%+v, %v, %s", troubles, err, &log)
	}
}

// What a process found out is forgotten when it ends; of one that was killed, when the next one starts.
func TestTroublesEndWithTheProcessThatHadThem(t *testing.T) {
	cfg := config.Default()
	cfg.Data = t.TempDir()
	i, err := Open(t.Context(), cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	killed := exec.Command("true")
	if err := killed.Run(); err != nil {
		t.Fatal(err)
	}
	host, _, _ := strings.Cut(ProcessName(), "/")
	elsewhere := "elsewhere/1/abc"
	for _, process := range []string{fmt.Sprintf("%s/%d/abc", host, killed.Process.Pid), fmt.Sprintf("%s/%d/abc", host, os.Getpid()), elsewhere} {
		if _, err := i.Store.ServiceFailed(t.Context(), curlew.ServiceMail, process); err != nil {
			t.Fatal(err)
		}
	}
	failures := func() int64 {
		troubles, err := i.Store.ServiceTroubles(t.Context())
		if err != nil || len(troubles) != 1 {
			t.Fatalf("%+v, %v", troubles, err)
		}
		return troubles[0].Failures
	}
	if n := failures(); n != 3 {
		t.Fatalf("%d failures to begin with", n)
	}
	i.Config.Mail.From, i.Config.Mail.Server = "curlew@example.org", config.MailServer{Host: "127.0.0.1", Port: 1}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		i.WatchServices(ctx)
	}()
	eventually.True(t, "the processes of this machine are gone, and this one fails as well", func() bool { return failures() == 2 })
	end()
	<-ended
	if n := failures(); n != 1 {
		t.Errorf("%d failures are left, want that of the process elsewhere", n)
	}
}
