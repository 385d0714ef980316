package door_test

import (
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// A watch that reads only a part of its list is named in the health of the org, with how much that is.
func TestHealthSaysWhatIsNotRead(t *testing.T) {
	w := newAPIWorld(t)
	over := "only the first 10000 of 120000 addresses of the sitemap are read"
	id := curlew.WatchID(w.acme["wat"])
	err := w.i.Store.Write(t.Context(), "acme", func(s store.WriteScope) error {
		watch, err := s.Watches().Lock(t.Context(), id)
		if err != nil {
			return err
		}
		watch.Rhythm.Over = over
		return s.Watches().Save(t.Context(), watch)
	})
	if err != nil {
		t.Fatal(err)
	}
	var health app.Health
	w.get("/health", "acme.viewer", &health)
	if told := strings.Join(health.Attention, "\n"); health.Status != "attention" || !strings.Contains(told, over) || !strings.Contains(told, string(id)) {
		t.Errorf("health: %+v", health)
	}
}
