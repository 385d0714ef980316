package setup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/archive"
	"github.com/curlew-data/curlew/internal/web/browser"
	"github.com/curlew-data/curlew/internal/web/egress"
	"github.com/curlew-data/curlew/internal/web/llm"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

// integration is a service that a configuration may name, and how it is tried.
type integration struct {
	name  string
	named bool
	try   func(context.Context, config.Config) (works string, err error)
	mend  string // what to do when it fails
}

// tryTime bounds one try.
const tryTime = 20 * time.Second

// tryIntegrations uses each service once, as the server would.
func tryIntegrations(ctx context.Context, cfg config.Config) (found []Diagnosis) {
	for _, in := range []integration{
		{"browser", cfg.Fetch.Browser != "off", tryBrowser, "without it pages made by scripts are not read: install Chromium"},
		{"mail", cfg.Mail.Server.Host != "", tryMail, "check mail.server: host, port, user and password"},
		{"archive", cfg.Archive.Location != "", tryArchive, "check archive.location, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
		{"sign-in provider", cfg.OIDC.Issuer != "", tryOIDC, "check oidc.issuer"},
		{"model", cfg.LLM.Provider != config.NoModel, tryModel, "check llm.url, llm.model and llm.key"},
	} {
		if !in.named {
			continue
		}
		works, err := in.within(ctx, cfg, tryTime)
		switch {
		case err == nil:
			found = append(found, Diagnosis{in.name, VerdictOK, works})
		case in.name == "browser" && cfg.Fetch.Browser == "": // nobody asked for it
			found = append(found, Diagnosis{in.name, VerdictNotice, curlew.AsFault(err).Sentence + "; " + in.mend})
		default:
			found = append(found, Diagnosis{in.name, VerdictWrong, curlew.AsFault(err).Sentence + ": " + in.mend + causeOf(err)})
		}
	}
	return found
}

// causeOf is what a fault leaves out of its sentence, for who runs the installation.
func causeOf(err error) string {
	cause := curlew.AsFault(err).Unwrap()
	if cause == nil {
		return ""
	}
	return " (" + text.Clip(cause.Error(), 200) + ")"
}

// within tries a service for some time; one that hangs is left behind.
func (in integration) within(ctx context.Context, cfg config.Config, most time.Duration) (works string, err error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	done := make(chan struct{})
	var said string
	var failed error
	go func() {
		defer close(done)
		said, failed = in.try(limited, cfg)
	}()
	select {
	case <-done:
		if limited.Err() == nil {
			return said, failed
		}
	case <-limited.Done():
	}
	return "", curlew.Temporary("no_answer", "it does not answer within %s", curlew.Duration(most).Brief())
}

func tryBrowser(_ context.Context, cfg config.Config) (string, error) {
	version, err := browser.Available(cfg.Fetch.Browser)
	return version + " reads pages that are made by scripts", err
}

var securityWords = map[deliver.Security]string{deliver.StartTLS: "STARTTLS", deliver.Implicit: "TLS",
	deliver.Insecure: "in the clear, on this machine"}

func tryMail(ctx context.Context, cfg config.Config) (string, error) {
	email := newEmail(cfg)
	how := map[bool]string{true: "signs us in", false: "wants no password"}[cfg.Mail.Server.User != ""]
	works := fmt.Sprintf("%s answers (%s) and %s", cfg.Mail.Server.Address(), securityWords[email.Server.Security], how)
	if cfg.Console.URL == "" {
		works += "; e-mails have no link to unsubscribe, as console.url is not set"
	}
	return works, email.Try(ctx)
}

// tryArchive writes, reads and deletes a file.
func tryArchive(ctx context.Context, cfg config.Config) (works string, err error) {
	spool, err := os.MkdirTemp("", "curlew-doctor")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(spool)
	trying := cfg
	trying.Data = spool // what cannot be brought to a bucket is not to be tried again later
	blobs, err := openBlobs(trying, cfg.Archive.Location)
	if err != nil {
		return "", err
	}
	probe := []byte("curlew doctor")
	name := fmt.Sprintf("%s-doctor-%d-%x.warc.gz", time.Now().UTC().Format("20060102150405"), os.Getpid(), rand.Text()[:4])
	file, err := blobs.Create(ctx, name)
	if err != nil {
		return "", err
	}
	if _, err := file.Write(probe); err != nil {
		return "", err
	}
	if err := file.Seal(int64(len(probe))); err != nil {
		return "", err
	}
	defer func() { _ = blobs.Delete(ctx, name) }()
	if err := settled(ctx, blobs, name); err != nil {
		return "", err
	}
	in, err := blobs.Range(ctx, name, 0, int64(len(probe)))
	if err != nil {
		return "", err
	}
	defer in.Close()
	if got, err := io.ReadAll(in); err != nil || !bytes.Equal(got, probe) {
		return "", curlew.Permanent("archive_lies", "the archive gives back other bytes than were written").Because(err)
	}
	return "a file was written, read and deleted in " + cfg.Archive.Location, blobs.Delete(ctx, name)
}

// settled brings a file to where it belongs, and says whether it is there.
func settled(ctx context.Context, blobs archive.Blobs, name string) error {
	if err := blobs.Settle(ctx); err != nil {
		return err
	}
	files, err := blobs.List(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.Name == name && f.State == archive.Sealed {
			return nil
		}
	}
	return curlew.Temporary("archive_unwritable", "the archive does not take files")
}

func tryOIDC(ctx context.Context, cfg config.Config) (string, error) {
	client := Way(cfg, cfg.OIDC.Issuer)
	defer client.Close()
	answer, err := client.Do(ctx, egress.Request{URL: strings.TrimSuffix(cfg.OIDC.Issuer, "/") + "/.well-known/openid-configuration"})
	if err != nil {
		return "", err
	}
	var about struct {
		Issuer string `json:"issuer"`
	}
	if err := json.Unmarshal(answer.Body, &about); err != nil || answer.Status != 200 {
		return "", curlew.Permanent("oidc_discovery", "%s does not describe an OpenID provider (status %d)", cfg.OIDC.Issuer, answer.Status)
	}
	if about.Issuer != cfg.OIDC.Issuer {
		return "", curlew.Permanent("oidc_issuer", "the provider calls itself %q, and oidc.issuer is %q", about.Issuer, cfg.OIDC.Issuer)
	}
	return cfg.OIDC.Issuer + " describes itself", nil
}

// tryModel asks for a word.
func tryModel(ctx context.Context, cfg config.Config) (string, error) {
	m := cfg.LLM
	m.Tries, m.MaxTokens = 1, 16
	way := Way(cfg, m.URL)
	defer way.Close()
	client, err := ModelClient(m, way, llm.Options{Meter: &llm.MemoryMeter{}})
	if err != nil {
		return "", err
	}
	_, _, err = client.For(llm.Attribution{}).Answer(ctx, "Answer with one word.", []string{"Say ok."})
	return m.Model + " answers", err
}
