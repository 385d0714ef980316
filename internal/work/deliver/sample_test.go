package deliver

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Sample messages, also for the tests that come from outside.

var sampleTime = time.Date(2026, 4, 10, 7, 30, 0, 0, time.UTC)

var SampleSubscription = curlew.Subscription{ID: "sub_1", Org: "default", Name: "Bicycles and concerts"}

// SampleItem is a change of an entity with the payload given.
func SampleItem(n int, kind curlew.ChangeKind, source, payload string) Item {
	return Item{
		Delivery: curlew.DeliveryID(fmt.Sprintf("del_%04d", n)), Source: source, Watch: "New arrivals",
		Change: curlew.Change{ID: curlew.ChangeID(fmt.Sprintf("chg_%04d", n)), Org: "default", Sequence: int64(n), Kind: kind, Source: "src_1",
			Entity: curlew.EntityID(fmt.Sprintf("ent_%d", n%7)), Version: 2, Payload: json.RawMessage(payload), OccurredAt: sampleTime},
	}
}

const (
	bicycle = `{"entity": {"schema": "product", "external_id": "r-1", "url": "https://fietsen.example/p/reed?a=1&b=2", "status": "active",
		"fields": {"name": "Reed City 7-speed, 54 cm", "price": 129900, "currency": "EUR", "availability": "in_stock"}},
		"changes": [{"field": "price", "old": 149900, "new": 129900}, {"field": "availability", "old": "out_of_stock", "new": "in_stock"}, {"field": "price_was", "old": null, "new": 149900}]}`
	concert = `{"entity": {"schema": "event", "external_id": "e-1", "url": "https://koncerty.example/1", "status": "active",
		"fields": {"title": "Zażółć gęślą jaźń – wieczór jazzowy", "starts_at": "2026-04-18T20:00:00+02:00", "venue_name": "Piwnica pod Żaglami", "city": "Kraków", "price_min": 4000, "currency": "PLN"}}}`
	moved = `{"entity": {"schema": "event", "external_id": "e-2", "url": "https://koncerty.example/2", "status": "active",
		"fields": {"title": "Long Night of Choirs", "starts_at": "2026-05-02"}},
		"changes": [{"field": "starts_at", "old": "2026-04-25T19:00:00+02:00", "new": "2026-05-02"}, {"field": "venue_name", "old": "Harbour Hall", "new": null},
		{"field": "performers", "old": ["Ana Lima"], "new": ["Ana Lima", "Bo Berg"]}]}`
	closed  = `{"entity": {"schema": "product", "external_id": "r-9", "status": "removed", "fields": {"name": "Heron Cargo", "price": 45000, "currency": "JPY"}}, "reason": "Two complete looks, 24 hours apart, did not find it, and its detail page answers 404."}`
	broken  = `{"reason": "Three looks in a row found no records: the page was redesigned. Curlew is learning it again."}`
	hostile = `{"entity": {"schema": "product", "external_id": "x", "url": "javascript:alert(1)", "status": "active",
		"fields": {"name": "<script>alert(1)</script> <!channel> @here & <https://evil.example|free>\r\nBcc: eve@example.org \u202eevil\u0000", "price": 1, "currency": "EUR"}},
		"changes": [{"field": "\"><img src=x onerror=alert(1)>", "old": "<!here> *bold* ~x~ ` + "`code`" + `", "new": "</td><script>alert(2)</script>"}]}`
)

// SampleDigest has every kind of line.
func SampleDigest() Message {
	items := []Item{
		SampleItem(1, curlew.EntityChanged, "Fietsenwinkel De Reiger", bicycle),
		SampleItem(2, curlew.EntityAppeared, "Koncerty Kraków", concert),
		SampleItem(3, curlew.EntityChanged, "Koncerty Kraków", moved),
		SampleItem(4, curlew.EntityDisappeared, "Fietsenwinkel De Reiger", closed),
		SampleItem(5, curlew.SourceBroken, "Town council", broken),
	}
	return Digest(SampleSubscription, items, sampleTime, Links{Console: "https://curlew.example/changes", Unsubscribe: "https://curlew.example/unsubscribe/abc"})
}

// SampleHostile is a change whose every text attacks.
func SampleHostile() Message {
	item := SampleItem(6, curlew.EntityChanged, "Evil <b>Source</b>\r\nX-Evil: 1", hostile)
	return Single(curlew.Subscription{ID: "sub_1", Name: "evil\r\nX-Evil: 1"}, item, Links{Console: "javascript:alert(3)", Unsubscribe: "https://curlew.example/u"})
}
