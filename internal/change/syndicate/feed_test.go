package syndicate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/change/syndicate"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text/money"
)

var seen = time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)

func concert(change func(curlew.Values)) *curlew.Entity {
	fields := curlew.Values{
		"title": "Organ & Brass", "starts_at": "2026-04-18T20:00:00+02:00", "ends_at": "2026-04-18T22:30:00+02:00", "timezone": "Europe/Oslo",
		"time_known": true, "status": "scheduled", "venue_name": "Oslo Cathedral; north door", "city": "Oslo", "country": "NO",
		"latitude": 59.9127, "longitude": 10.7461, "performers": []string{"Kåre, the Elder", "Nidaros Brass"},
		"description": "An evening.\nBring a friend, or two.", "url": "https://example.org/e/1?a=1&b=2", "image_url": "https://example.org/i.jpg",
		"price_min": int64(25000), "currency": "NOK", "category": "music",
	}
	if change != nil {
		change(fields)
	}
	return &curlew.Entity{ID: "ent_1", Org: "acme", Source: "src_1", Schema: curlew.SchemaEvent, ExternalID: "e1", URL: "https://example.org/e/1",
		Status: curlew.EntityActive, Version: 3, Fields: fields, FirstSeenAt: seen, LastSeenAt: seen.AddDate(0, 0, 9)}
}

func bicycle(changes ...curlew.FieldChange) *curlew.Change {
	return changeOf(curlew.EntityChanged, curlew.ChangePayload{
		Entity: &curlew.EntityPicture{Schema: curlew.SchemaProduct, ExternalID: "b1", URL: "https://shop.example/b1", Status: curlew.EntityActive,
			Fields: curlew.Values{"name": "Omafiets", "price": 2499, "currency": "EUR", "availability": "in_stock"}},
		Changes: changes,
	})
}

func changeOf(kind curlew.ChangeKind, p curlew.ChangePayload) *curlew.Change {
	payload, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return &curlew.Change{ID: "chg_1", Org: "acme", Sequence: 7, Kind: kind, Entity: "ent_9", Version: 4, Payload: payload, OccurredAt: seen.AddDate(0, 0, 1)}
}

func feedOf(entries ...syndicate.FeedEntry) syndicate.Feed {
	f := syndicate.Feed{Org: "acme", ID: "watches/wat_1", Title: "Concerts <in> Oslo & around", HomeURL: "https://example.org/concerts",
		SelfURL: "https://curlew.example/feeds/wat_1.atom", Entries: syndicate.Of(entries...)}
	for _, e := range entries {
		f.Changes = f.Changes || e.Change != nil
	}
	return f
}

func written(t testing.TB, format syndicate.Format, f syndicate.Feed) string {
	t.Helper()
	var b bytes.Buffer
	if err := syndicate.Write(&b, format, f, syndicate.Options{}); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

func TestChangesAreToldInWords(t *testing.T) {
	long := strings.Repeat("so long ", 60)
	for want, change := range map[string]*curlew.Change{
		"Price of Omafiets: 29.99 → 24.99 EUR":                             bicycle(curlew.FieldChange{Field: "price", Old: 2999, New: 2499}),
		"Price of Omafiets: now 24.99 EUR":                                 bicycle(curlew.FieldChange{Field: "price", New: 2499}),
		"Old price of Omafiets: no longer given (was 29.99 EUR)":           bicycle(curlew.FieldChange{Field: "price_was", Old: 2999}),
		"Availability of Omafiets: out of stock → in stock":                bicycle(curlew.FieldChange{Field: "availability", Old: "out_of_stock", New: "in_stock"}),
		"Description of Omafiets changed":                                  bicycle(curlew.FieldChange{Field: "description", Old: "a", New: "b"}),
		"Price of Omafiets: 29.99 → 24.99 EUR, and 2 more changes":         bicycle(curlew.FieldChange{Field: "rating", Old: 4.5, New: 4.6}, curlew.FieldChange{Field: "price", Old: 2999, New: 2499}, curlew.FieldChange{Field: "brand", New: "X"}),
		"Name changed: Opafiets → Omafiets":                                bicycle(curlew.FieldChange{Field: "name", Old: "Opafiets", New: "Omafiets"}),
		"Brand of Omafiets: x → " + strings.TrimSpace(long[:79]) + "…":     bicycle(curlew.FieldChange{Field: "brand", Old: "x", New: long}),
		"Changed: Omafiets":                                                bicycle(),
		"Position of Omafiets: 3 → 5":                                      bicycle(curlew.FieldChange{Field: "position", Old: 3, New: 5}),
		"New vacancy: Baker":                                               changeOf(curlew.EntityAppeared, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "job", Fields: curlew.Values{"title": "Baker"}}}),
		"Gone: Baker":                                                      changeOf(curlew.EntityDisappeared, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "job", Fields: curlew.Values{"title": " Baker\n"}}}),
		"Watch failed: the site answers 503":                               changeOf(curlew.WatchFailed, curlew.ChangePayload{Reason: "the site answers 503"}),
		"Source healed":                                                    changeOf(curlew.SourceHealed, curlew.ChangePayload{}),
		"Start of Gala: Sat 18 Apr 2026, 20:00 (+02:00) → Sun 19 Apr 2026": changeOf(curlew.EntityChanged, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "event", Fields: curlew.Values{"title": "Gala"}}, Changes: []curlew.FieldChange{{Field: "starts_at", Old: "2026-04-18T20:00:00+02:00", New: "2026-04-19"}}}),
		"Lowest price of Gala: 1500 → 2000 JPY":                            changeOf(curlew.EntityChanged, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "event", Fields: curlew.Values{"title": "Gala", "currency": "JPY"}}, Changes: []curlew.FieldChange{{Field: "price_min", Old: 1500, New: 2000}}}),
	} {
		t.Run(want, func(t *testing.T) {
			feed := readBack(t, syndicate.Atom, feedOf(syndicate.FeedEntry{Change: change}))
			if got := feed.Items[0].Title; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestAmountsAreWrittenAsTheyWereCounted(t *testing.T) {
	for _, code := range strings.Fields("EUR JPY KWD CLF ISK TND UYI ITL BYR XXX HUF NOK") {
		for _, units := range []int64{0, 5, 2499, -2499, 1 << 52} {
			t.Run(fmt.Sprint(units), func(t *testing.T) {
				change := changeOf(curlew.EntityChanged, curlew.ChangePayload{Entity: &curlew.EntityPicture{Schema: "product", Fields: curlew.Values{"name": "X", "currency": code}},
					Changes: []curlew.FieldChange{{Field: "price", New: units}}})
				want := "Price of X: now " + money.Major(units, code) + " " + code
				if got := readBack(t, syndicate.RSS, feedOf(syndicate.FeedEntry{Change: change})).Items[0].Title; got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

func TestValidatorsDependOnContentAlone(t *testing.T) {
	validate := func(format syndicate.Format, e *curlew.Entity, at time.Time) syndicate.Validators {
		v, err := syndicate.Validate(format, feedOf(syndicate.FeedEntry{Entity: e, Updated: at}), syndicate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	base := validate(syndicate.Atom, concert(nil), seen)
	again := concert(nil)
	again.LastSeenAt = seen.AddDate(1, 0, 0)
	if validate(syndicate.Atom, again, seen) != base {
		t.Error("that an entity was seen again changes the validators")
	}
	if got := base.HTTPDate(); got != "Mon, 02 Mar 2026 07:30:00 GMT" {
		t.Error(got)
	}
	if !strings.HasPrefix(base.ETag, `"`) || !strings.HasSuffix(base.ETag, `"`) || len(base.ETag) != 34 {
		t.Errorf("%s is no strong ETag", base.ETag)
	}
	for name, v := range map[string]syndicate.Validators{
		"another title":  validate(syndicate.Atom, concert(func(v curlew.Values) { v["title"] = "Organ and Brass" }), seen),
		"another format": validate(syndicate.RSS, concert(nil), seen),
		"another time":   validate(syndicate.Atom, concert(nil), seen.Add(time.Hour)),
	} {
		t.Run(name, func(t *testing.T) {
			if v.ETag == base.ETag {
				t.Errorf("%s has the same ETag", name)
			}
		})
	}
	for _, format := range syndicate.Formats() {
		f := feedOf(syndicate.FeedEntry{Entity: concert(nil)})
		if first := written(t, format, f); first != written(t, format, f) {
			t.Errorf("%s differs from one writing to the next", format)
		}
	}
}

func TestAnErrorOfTheEntriesEndsTheFeed(t *testing.T) {
	lost := errors.New("the database is gone")
	f := feedOf()
	f.Entries = iter.Seq2[syndicate.FeedEntry, error](func(yield func(syndicate.FeedEntry, error) bool) {
		_ = yield(syndicate.FeedEntry{Entity: concert(nil)}, nil) && yield(syndicate.FeedEntry{}, lost)
	})
	for _, format := range syndicate.Formats() {
		if err := syndicate.Write(&bytes.Buffer{}, format, f, syndicate.Options{}); !errors.Is(err, lost) {
			t.Errorf("%s: %v", format, err)
		}
		if _, err := syndicate.Validate(format, f, syndicate.Options{}); !errors.Is(err, lost) {
			t.Errorf("validators of %s: %v", format, err)
		}
	}
	if _, err := syndicate.ParseFormat("xlsx"); !errors.Is(err, curlew.Code("unknown_format")) {
		t.Error(err)
	}
}
