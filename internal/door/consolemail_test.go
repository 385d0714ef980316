package door_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
)

func TestADeliveryShowsTheBodyThatIsSentAndNoSecret(t *testing.T) {
	d := newEditWorld(t)
	id := curlew.DeliveryID(d.own["del"])
	status, page := fetchForm(t, d.client, d.base+"/deliveries/"+string(id))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	shown := regexp.MustCompile(`(?s)<pre tabindex="0">(.*?)</pre>`).FindStringSubmatch(page)
	if shown == nil {
		t.Fatalf("no body is shown: %s", page)
	}
	var body struct {
		Type curlew.ChangeKind `json:"type"`
		Data struct {
			Delivery     curlew.DeliveryID     `json:"delivery_id"`
			Subscription curlew.SubscriptionID `json:"subscription_id"`
			curlew.Change
			SourceName string `json:"source_name"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(shown[1])), &body); err != nil {
		t.Fatal(err)
	}
	scope := d.i.Store.Org(curlew.DefaultOrg)
	kept, err := scope.Deliveries().Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	change, err := scope.Changes().Get(t.Context(), kept.Change)
	if err != nil {
		t.Fatal(err)
	}
	if body.Type != change.Kind || body.Data.Delivery != id || body.Data.Subscription != kept.Subscription || body.Data.ID != change.ID || body.Data.Sequence != change.Sequence {
		t.Errorf("shown is %+v, kept %+v", body, change)
	}
	for i, want := range []string{"Webhook-Id", "Webhook-Timestamp", string(id)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if !strings.Contains(page, want) {
				t.Errorf("the page does not say %s", want)
			}
		})
	}
	if strings.Contains(page, "whsec_") || strings.Contains(page, "v1,") {
		t.Error("the page shows a secret or a signature")
	}
}

func TestADeliveryByEMailShowsItsReceiver(t *testing.T) {
	d := newEditWorld(t)
	id := curlew.DeliveryID(d.own["del"])
	err := d.i.Store.Write(t.Context(), curlew.DefaultOrg, func(w store.WriteScope) error {
		kept, err := w.Deliveries().Get(t.Context(), id)
		if err != nil {
			return err
		}
		kept.Receiver, kept.LastError = "bo@example.org", "451 greylisted"
		kept, err = w.Deliveries().Add(t.Context(), kept)
		id = kept.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, page := fetchForm(t, d.client, d.base+"/deliveries/"+string(id))
	for _, want := range []string{"bo@example.org", "451 greylisted"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(strings.ToLower(page), want) {
				t.Errorf("%s is not shown", want)
			}
		})
	}
}

func TestHeadersOfOnesOwnAreOnlyNamed(t *testing.T) {
	target := json.RawMessage(`{"url":"https://example.org/in","headers":{"Authorization":"Bearer hush"}}`)
	head := deliver.Head(curlew.ChannelWebhook, target, deliver.Message{ID: "del_1"}, nil)
	if text, _ := json.Marshal(head); strings.Contains(string(text), "hush") || !strings.Contains(string(text), "Authorization") || !strings.Contains(string(text), "the time of sending") {
		t.Errorf("%s", text)
	}
	if deliver.Head(curlew.ChannelEmail, nil, deliver.Message{}, nil) != nil {
		t.Error("an e-mail has no headers of webhooks")
	}
}
