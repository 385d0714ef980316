package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/work/deliver"
	"github.com/curlew-data/curlew/internal/work/outbox"
)

// mailing is a subscription of two receivers.
func (b *browser) mailing(to string) (sub curlew.Subscription) {
	b.Helper()
	b.write(func(w store.WriteScope) (err error) {
		sub, err = w.Subscriptions().Add(b.Context(), curlew.Subscription{Name: "Concerts", Channel: curlew.ChannelEmail,
			Status: curlew.SubscriptionActive, Target: json.RawMessage(to)})
		return err
	})
	return sub
}

// unsubscribeLink is the link to unsubscribe that an address is sent.
func unsubscribeLink(t *testing.T, sub curlew.Subscription, address string) string {
	t.Helper()
	link, err := url.Parse(deliver.LinksOf(sub, "https://curlew.example").For(address).Unsubscribe)
	if err != nil || !strings.HasPrefix(link.Path, deliver.UnsubscribePath) {
		t.Fatalf("the link of %s is %q, %v", address, link, err)
	}
	return link.Path
}

// stranger asks without being signed in.
func (b *browser) stranger(method, at, form string) (int, string) {
	r := httptest.NewRequest(method, at, strings.NewReader(form))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer := httptest.NewRecorder()
	b.handler.ServeHTTP(answer, r)
	return answer.Code, answer.Body.String()
}

func TestTheReceiverOfAnEMailUnsubscribesWithoutSigningIn(t *testing.T) {
	b := open(t, lantern)
	sub := b.mailing(`{"to":["ana@example.org","bo@example.org"]}`)
	ana, bo := unsubscribeLink(t, sub, "ana@example.org"), unsubscribeLink(t, sub, "bo@example.org")
	if status, page := b.stranger("GET", ana, ""); status != http.StatusOK || !strings.Contains(page, "ana@example.org") ||
		!strings.Contains(page, "Concerts") || !strings.Contains(page, `<form method="post">`) || strings.Contains(page, "bo@example.org") {
		t.Errorf("asked: %d %s", status, page)
	}
	if to := b.receivers(sub.ID); len(to) != 2 {
		t.Errorf("looking at the link left %v", to)
	}
	if status, page := b.stranger("POST", ana, "List-Unsubscribe=One-Click"); status != http.StatusOK || !strings.Contains(page, "no more e-mails") {
		t.Errorf("done: %d %s", status, page)
	}
	if to := b.receivers(sub.ID); len(to) != 1 || to[0] != "bo@example.org" {
		t.Errorf("who is left: %v", to)
	}
	for _, method := range []string{"GET", "POST"} {
		t.Run(method, func(t *testing.T) {
			if status, page := b.stranger(method, ana, ""); status != http.StatusOK || !strings.Contains(page, "You have unsubscribed from <strong>Concerts</strong> already") ||
				strings.Contains(page, "<form") {
				t.Errorf("%s of a link that was used: %d %s", method, status, page)
			}
		})
	}
	for i, at := range []string{bo + "x", deliver.UnsubscribePath + "sub_nobody/x", strings.Replace(bo, "sub_", "src_", 1)} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if status, page := b.stranger("POST", at, ""); status != http.StatusNotFound || !strings.Contains(page, "this link is invalid") {
				t.Errorf("%s: %d %s", at, status, page)
			}
		})
	}
	entries, err := b.I.Store.Org(b.org).Audit().List(t.Context(), store.AuditFilter{Limit: 1})
	if err != nil || len(entries) != 1 || entries[0].Action != "unsubscribeReceiver" || entries[0].Name != "ana@example.org" {
		t.Errorf("the audit log has %+v, %v", entries, err)
	}
}

func TestASubscriptionWhoseLastReceiverLeftIsDisabledAndStaysSo(t *testing.T) {
	b := open(t, lantern)
	sub := b.mailing(`{"to":["ana@example.org"]}`)
	if status, page := b.stranger("POST", unsubscribeLink(t, sub, "ana@example.org"), ""); status != http.StatusOK {
		t.Fatalf("%d %s", status, page)
	}
	kept, err := b.I.Store.Org(b.org).Subscriptions().Get(t.Context(), sub.ID)
	if err != nil || kept.Status != curlew.SubscriptionDisabled || !strings.Contains(kept.Health.DisabledWhy, "unsubscribed") {
		t.Errorf("%+v, %v", kept, err)
	}
	err = b.I.Store.Write(t.Context(), b.org, func(w store.WriteScope) error {
		_, err := outbox.Resume(t.Context(), b.I.Queue, w, sub.ID)
		return err
	})
	if err == nil {
		t.Error("it was resumed without anybody to receive it")
	}
	if page := b.page("/subscriptions/" + string(sub.ID)); !strings.Contains(page, "unsubscribed") {
		t.Errorf("its page is\n%s", page)
	}
}

func TestLinksToUnsubscribeCannotBeGuessed(t *testing.T) {
	b := open(t, lantern)
	sub := b.mailing(`{"to":["ana@example.org"]}`)
	status := 0
	for range 80 {
		status, _ = b.stranger("POST", deliver.UnsubscribePath+string(sub.ID)+"/guess", "")
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("the last guess was answered with %d", status)
	}
	if status, _ := b.stranger("POST", unsubscribeLink(t, sub, "ana@example.org"), ""); status != http.StatusOK {
		t.Errorf("the right link was refused for wrong ones: %d", status)
	}
}

func (b *browser) receivers(id curlew.SubscriptionID) []string {
	b.Helper()
	sub, err := b.I.Store.Org(b.org).Subscriptions().Get(b.Context(), id)
	var target deliver.EmailTarget
	if err == nil {
		err = json.Unmarshal(sub.Target, &target)
	}
	if err != nil {
		b.Fatal(err)
	}
	return target.To
}
