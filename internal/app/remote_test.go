package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/ops/guard"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// Whatever door a call comes by, a page that makes a reader fail gives the same fault, and the log names the page.
func TestWhatMakesACallFailIsLoggedWithItsPage(t *testing.T) {
	var log bytes.Buffer
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(was)
	const address = "https://hall.example/agenda"
	by := caller{who: auth.Identity{Org: "acme", User: "usr_1", Role: curlew.RoleOwner, Name: "Ada"}}
	page := PageInput{URL: address, HTML: "<p>Hello."}
	_, err := remote(t.Context(), by, "extractPage", ExtractPage{Page: page}, func(ctx context.Context, e *remoteCall) (none struct{}, err error) {
		if _, err := (singlePage{page: page}).Fetch(ctx, fetch.PageRequest{URL: address}); err != nil {
			return none, err
		}
		panic("of a reader")
	})
	if !errors.Is(err, guard.ErrReaderFailed) || !strings.Contains(log.String(), "page="+address) || !strings.Contains(log.String(), "remote_test.go") {
		t.Errorf("%v, the log says %.300s", err, log.String())
	}
}
