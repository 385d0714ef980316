package setup

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/instrument"
	"github.com/curlew-data/curlew/internal/web/archive"
)

// lookAfter is how often a running process tries the services that it needs.
const lookAfter = 5 * time.Minute

// forgetWithin bounds how long a process that ends takes to forget what it found.
const forgetWithin = 2 * time.Second

// WatchServices tries the services of the configuration from time to time, so that people hear of one
// that is away before they miss what it should have done. What it found ends with it.
func (i *Installation) WatchServices(ctx context.Context) {
	process := ProcessName()
	_ = i.Store.ForgetTroubles(ctx, func(other string) bool { return ended(process, other) }) // or they are forgotten later
	defer func() {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), forgetWithin)
		defer cancel()
		_ = i.Store.ForgetTroubles(own, func(other string) bool { return other == process })
	}()
	for {
		_ = i.Ready(ctx) // which logs it
		i.tryServices(ctx, process)
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookAfter):
		}
	}
}

// ended says whether a process of this machine that was killed had a name.
func ended(own, other string) bool {
	host, _, _ := strings.Cut(own, "/")
	there, rest, _ := strings.Cut(other, "/")
	number, _, _ := strings.Cut(rest, "/")
	pid, err := strconv.Atoi(number)
	return err == nil && there == host && other != own && (pid == os.Getpid() || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH))
}

// tryServices tries each once. What is wrong is logged when it begins and when it ends, counted each time,
// and kept for the dashboard.
func (i *Installation) tryServices(ctx context.Context, process string) {
	for _, in := range []integration{
		{string(curlew.ServiceMail), i.Config.Mail.Server.Host != "", tryMail, "deliveries by e-mail wait"},
		{string(curlew.ServiceSignIn), i.Config.OIDC.Issuer != "", tryOIDC, "sign-in with it fails"},
		{string(curlew.ServiceArchive), i.Reading != nil && i.Reading.Archive != nil, i.settleArchive, "archived pages wait on this machine"},
	} {
		if !in.named {
			continue
		}
		service := curlew.Service(in.name)
		_, err := in.within(ctx, i.Config, tryTime)
		if ctx.Err() != nil {
			return // the process ends
		}
		instrument.Tell(ctx, instrument.ServiceTried{Service: service, Works: err == nil})
		if err != nil {
			i.serviceFailed(ctx, service, process, in.mend, err)
		} else if recovered, err := i.Store.ServiceWorks(ctx, service, process); err == nil && recovered {
			i.Log.Info("a service works again", "service", service)
		}
	}
}

func (i *Installation) serviceFailed(ctx context.Context, service curlew.Service, process, effect string, why error) {
	failures, err := i.Store.ServiceFailed(ctx, service, process)
	if err == nil && failures == 1 {
		i.Log.Error("a service does not work", "service", service, "effect", effect, "error", why)
	}
}

// noArchiveFile is the name of a file that no archive has.
const noArchiveFile = "20000101000000-curlew-0-00000000.warc.gz"

// settleArchive brings to the archive what waits on this machine, and asks it for a file, for when nothing waits.
func (i *Installation) settleArchive(ctx context.Context, _ config.Config) (string, error) {
	if err := i.Reading.Archive.Settle(ctx); err != nil {
		return "", err
	}
	file, err := i.Reading.blobs.Range(ctx, noArchiveFile, 0, 1)
	if err == nil {
		err = file.Close()
	}
	if errors.Is(err, archive.ErrMissing) {
		err = nil
	}
	return "", err
}
