package door_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// waiting are the kinds of what waits for a subscription, in the order of the changes.
func (w *apiWorld) waiting(id curlew.SubscriptionID) (kinds []curlew.ChangeKind) {
	w.Helper()
	pending, err := w.i.Store.Org("acme").Deliveries().PendingTogether(w.Context(), store.Endpoint{Subscription: id}, 100)
	if err != nil {
		w.Fatal(err)
	}
	for _, p := range pending {
		kinds = append(kinds, p.Change.Kind)
	}
	return kinds
}

// resumable lets the source of acme be steered: its candidate waits for nobody.
func (w *apiWorld) resumable() {
	w.Helper()
	err := w.i.Store.Write(w.Context(), "acme", func(s store.WriteScope) error {
		_, err := s.Tx.Exec(w.Context(), `UPDATE candidates SET review = ? WHERE org_id = 'acme'`, false)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
}

func TestSubscribersAreToldThatASourceWasPausedAndResumed(t *testing.T) {
	w := newAPIWorld(t)
	w.resumable()
	subscribe := func(more map[string]any) curlew.SubscriptionID {
		body := map[string]any{"channel": "webhook", "to": []string{"https://example.org/in"}}
		for name, value := range more {
			body[name] = value
		}
		var made app.Subscribed
		w.post("/subscriptions", "acme.editor", body, &made)
		return made.ID
	}
	both := []curlew.ChangeKind{curlew.SourcePaused, curlew.SourceResumed}
	source, watch := "/sources/"+w.acme["src"], "/watches/"+w.acme["wat"]
	asks := []struct {
		who  string
		wish map[string]any
		want []curlew.ChangeKind
	}{
		{"whoever wants all", nil, append(slices.Clone(both), both...)},
		{"who asks about prices only", map[string]any{"filter": "price decreased"}, append(slices.Clone(both), both...)},
		{"who looks at one watch of the source", map[string]any{"watch_id": w.acme["wat"]}, append(slices.Clone(both), both...)},
		{"who selected another kind", map[string]any{"kinds": []string{"entity_changed"}}, nil},
		{"whose filter rules it out", map[string]any{"filter": `kind = "entity_changed" and price decreased`}, nil},
	}
	ids := map[string]curlew.SubscriptionID{}
	for _, ask := range asks {
		ids[ask.who] = subscribe(ask.wish)
	}
	for _, path := range []string{source, watch} {
		for _, verb := range []string{"pause", "pause", "resume"} { // the second pause is no news
			w.post(path+"/"+verb, "acme.editor", nil, &struct{}{})
		}
	}
	for _, ask := range asks {
		t.Run(ask.who, func(t *testing.T) {
			if got := w.waiting(ids[ask.who]); fmt.Sprint(got) != fmt.Sprint(ask.want) {
				t.Errorf("%s is told %v, want %v", ask.who, got, ask.want)
			}
		})
	}
}
