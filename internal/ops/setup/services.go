package setup

import (
	"context"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/instrument"
)

// lookAfter is how often a running process tries the services that it needs.
const lookAfter = 5 * time.Minute

// WatchServices tries the services of the configuration from time to time, so that people hear of one
// that is away before they miss what it should have done.
func (i *Installation) WatchServices(ctx context.Context) {
	process := ProcessName()
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

// tryServices tries each once. What is wrong is logged when it begins and when it ends, counted each time,
// and kept for the dashboard.
func (i *Installation) tryServices(ctx context.Context, process string) {
	for _, in := range []integration{
		{string(curlew.ServiceMail), i.Config.Mail.Server.Host != "", tryMail, "deliveries by e-mail wait"},
		{string(curlew.ServiceSignIn), i.Config.OIDC.Issuer != "", tryOIDC, "nobody can sign in by it"},
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

// settleArchive brings to the archive what waits on this machine.
func (i *Installation) settleArchive(ctx context.Context, _ config.Config) (string, error) {
	return "", i.Reading.Archive.Settle(ctx)
}
