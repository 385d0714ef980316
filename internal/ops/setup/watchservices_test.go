package setup

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/instrument"
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
	if strings.Contains(log.String(), "service") {
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
