package filter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

var now = time.Date(2026, 4, 10, 12, 0, 0, 0, time.UTC)

// product is a change event about a product in euro, with some fields more.
func product(t testing.TB, fields string, changes string) curlew.Change {
	t.Helper()
	return change(t, "product", `{"name": "Reed Bicycle", "price": 9900, "currency": "EUR", "availability": "in_stock"`+fields+`}`, changes)
}

func change(t testing.TB, schema, fields, changes string) curlew.Change {
	t.Helper()
	payload := `{"entity": {"schema": "` + schema + `", "external_id": "x-1", "url": "https://example.org/1", "status": "active", "fields": ` + fields + `}, "changes": [` + changes + `]}`
	if !json.Valid([]byte(payload)) {
		t.Fatalf("the test's payload is not JSON: %s", payload)
	}
	return curlew.Change{ID: "chg_1", Kind: curlew.EntityChanged, Source: "src_1", Payload: json.RawMessage(payload), OccurredAt: now}
}

const (
	cheaper   = `{"field": "price", "old": 12000, "new": 9900}`
	dearer    = `{"field": "price", "old": 9000, "new": 9900}`
	restocked = `{"field": "availability", "old": "out_of_stock", "new": "in_stock"}`
)

type expectation struct {
	filter string
	want   bool
	why    string // a part of it
}

func expect(t *testing.T, c curlew.Change, cases []expectation) {
	t.Helper()
	for _, e := range cases {
		f, err := Compile(e.filter, curlew.Schemas()...)
		if err != nil {
			t.Errorf("%s: %v", e.filter, err)
			continue
		}
		got, why := f.Matches(c)
		if got != e.want || !strings.Contains(why, e.why) {
			t.Errorf("%s: %v (%s), want %v (%s)", e.filter, got, why, e.want, e.why)
		}
	}
}

func TestAPriceThatFalls(t *testing.T) {
	expect(t, product(t, "", cheaper), []expectation{
		{`price decreased`, true, "price went from 120.00 EUR to 99.00 EUR"},
		{`price decreased by 5%`, true, ""},
		{`price decreased by 17.5%`, true, ""}, // exactly
		{`price decreased by 17.51%`, false, ""},
		{`price decreased by 21`, true, ""}, // exactly
		{`price decreased by 21.01`, false, ""},
		{`price decreased by 20 EUR`, true, ""},
		{`price decreased by 20 PLN`, false, ""},
		{`price dropped by 5 %`, true, ""},
		{`price increased`, false, "went from"},
		{`price falls below 100`, true, ""},
		{`price falls below 99`, false, ""}, // it is reached, not crossed
		{`price falls below 130`, false, ""},
		{`price fell below 120.00 EUR`, true, ""}, // from exactly there
		{`price rises above 100`, false, ""},
		{`price changed`, true, ""},
		{`price < 100`, true, "99.00 EUR"},
		{`price < 100.00 EUR`, true, ""},
		{`price < EUR 100`, true, ""},
		{`price < 100 USD`, false, "is in EUR, not in USD"},
		{`not price < 100 USD`, false, "is in EUR, not in USD"},
		{`price <= 99`, true, ""},
		{`price < 99`, false, ""},
		{`price >= 99 and price = 99.00`, true, ""},
		{`price was 120`, true, ""},
		{`price became 99`, true, ""},
		{`price != 99`, false, ""},
		{`availability changed`, false, "did not change"},
		{`not availability changed`, true, "did not change"},
	})
	expect(t, product(t, "", dearer), []expectation{
		{`price increased by 10%`, true, ""}, {`price increased by 10.01%`, false, ""}, {`price decreased`, false, ""},
		{`price rises above 90`, true, ""}, {`price rose above 99`, false, ""},
	})
}

func TestATextThatAppearsAndGoesAndANumberThatPasses(t *testing.T) {
	c := change(t, "page", `{"title": "Berths", "text": "Applications are open.\nFree berths: 9", "figures": {"Free berths": "9"}}`,
		`{"field": "text", "old": "Applications are closed.\nFree berths: 3", "new": "Applications are open.\nFree berths: 9"},
		{"field": "figures.Free berths", "old": "3", "new": "9"}`)
	expect(t, c, []expectation{
		{`text gains "applications are open"`, true, `text gained "applications are open"`},
		{`text gained "Free berths"`, false, "neither gained nor lost"}, // it was there before
		{`text loses "closed"`, true, `text lost "closed"`}, {`text lost "open"`, false, ""}, {`text gains "closed"`, false, ""},
		{`title gains "Berths"`, false, "did not change"}, {`not title gains "Berths"`, true, ""},
		{"`figures.Free berths` rises above 5", true, ""}, {"`figures.Free berths` rises above 9", false, ""},
		{"`figures.Free berths` falls below 5", false, ""}, {"`figures.Free berths` >= 9", true, ""}, {"`figures.Free berths` increased by 6", true, ""},
	})
	if _, err := Compile(`figures.berths contains "x"`, curlew.Schemas()...); err == nil {
		t.Error("a number was asked for a text")
	}
}

func TestMoneyIsWrittenInMajorUnitsOfTheRecordsCurrency(t *testing.T) {
	yen := change(t, "product", `{"name": "Fan", "price": 1200, "currency": "JPY"}`, "")
	expect(t, yen, []expectation{{`price = 1200`, true, "1200 JPY"}, {`price < 100`, false, ""}})
	dinar := change(t, "product", `{"name": "Fan", "price": 1250, "currency": "KWD"}`, "")
	expect(t, dinar, []expectation{{`price = 1.25`, true, "1.250 KWD"}})
	unknown := change(t, "product", `{"name": "Fan", "price": 1250}`, "")
	expect(t, unknown, []expectation{{`price = 12.5`, true, ""}, {`price = 12.5 EUR`, false, "currency of price is not known"}})
	swapped := product(t, "", cheaper+`, {"field": "currency", "old": "PLN", "new": "EUR"}`)
	expect(t, swapped, []expectation{{`price decreased`, false, "currency changed"}, {`price changed`, true, ""}})
	fromZero := product(t, "", `{"field": "price", "old": 0, "new": 9900}`)
	expect(t, fromZero, []expectation{{`price increased`, true, ""}, {`price increased by 5%`, false, ""}, {`price increased by 5`, true, ""}})
	fromNothing := product(t, "", `{"field": "price", "old": null, "new": 9900}`)
	expect(t, fromNothing, []expectation{{`price increased`, false, "from nothing"}, {`price rises above 5`, false, ""}, {`price became 99`, true, ""}})
}

func TestWordsAndChoices(t *testing.T) {
	c := change(t, "event", `{"title": "Late JAZZ Night", "city": "Krako\u0301w", "performers": ["Ana Lima", "Bo Berg"], "online": false}`, "")
	expect(t, c, []expectation{
		{`title contains "jazz"`, true, `title contains "jazz"`},
		{`title contains "blues"`, false, `no title contains "blues"`},
		{`title starts with "late"`, true, ""}, {`title ends with "NIGHT"`, true, ""}, {`title starts with "jazz"`, false, ""},
		{`city = "Kraków"`, true, ""}, {`city is kraków`, true, ""}, {`city is not "Kraków"`, false, ""},
		{`city in ("Gdańsk", "Kraków")`, true, ""}, {`city in ("Gdańsk")`, false, ""},
		{`performers contains "lima"`, true, ""}, {`performers = "bo berg"`, true, ""}, {`performers = "bo"`, false, ""},
		{`online = false`, true, ""}, {`online is true`, false, ""},
		{`kind = "entity_changed"`, true, ""}, {`schema = "event"`, true, ""}, {`entity_status = active`, true, ""},
		{`url starts with "https://example.org"`, true, ""}, {`source_id = "src_1"`, true, ""},
		{`venue_name contains "hall"`, false, "venue_name is missing"},
		{`title contains “jazz”`, true, ""},
		{`title contains 'jazz'`, true, ""},
	})
	expect(t, product(t, `, "sku": "00123"`, restocked), []expectation{
		{`availability became "in_stock"`, true, `from "out_of_stock" to "in_stock"`},
		{`availability becomes out_of_stock`, false, ""}, {`availability was out_of_stock`, true, ""},
		{`sku = 00123`, true, ""}, {`sku = 123`, false, ""},
	})
}

func TestAMissingFieldNeverMatches(t *testing.T) {
	c := product(t, "", "")
	expect(t, c, []expectation{
		{`rating < 3`, false, "rating is missing"}, {`not rating < 3`, false, "rating is missing"},
		{`rating != 3`, false, ""}, {`not rating = 3`, false, ""},
		{`not (rating < 3 and price < 1000)`, false, ""},
		{`not (rating < 3 and price > 1000)`, true, ""}, // the price alone decides
		{`rating < 3 or price < 1000`, true, ""},
		{`not rating changed`, true, "rating did not change"},
		{`rating is missing`, true, ""}, {`rating is set`, false, ""}, {`price is set`, true, ""},
	})
	broken := curlew.Change{Kind: curlew.SourceBroken, Payload: json.RawMessage(`{"reason": "three looks in a row failed"}`)}
	expect(t, broken, []expectation{{`price < 5`, false, ""}, {`kind = source_broken`, true, ""}, {`reason contains "in a row"`, true, ""}, {``, true, ""}})
	for _, payload := range []string{"", "null", `[1]`, `{"entity": 3}`} {
		t.Run(payload, func(t *testing.T) {
			f, _ := Compile(`price < 5`)
			if got, why := f.Matches(curlew.Change{Payload: json.RawMessage(payload)}); got || why == "" {
				t.Errorf("payload %q: %v %s", payload, got, why)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	c := change(t, "event", `{"title": "x", "starts_at": "2026-04-17T11:00:00Z", "ends_at": "2026-04-18"}`,
		`{"field": "starts_at", "old": "2026-04-17T09:30:00Z", "new": "2026-04-17T11:00:00Z"}`)
	expect(t, c, []expectation{
		{`starts_at within 7d`, true, ""}, {`starts_at within 1 week`, true, ""}, {`starts_at within 6 days`, false, ""},
		{`starts_at within the next 166h`, false, ""}, {`starts_at within 167h`, true, ""}, // exactly
		{`starts_at within last 7d`, false, ""},
		{`ends_at within 8d`, true, ""}, {`ends_at within 7d`, false, ""},
		{`starts_at < 2026-04-18`, true, ""}, {`starts_at = "2026-04-17"`, true, ""}, {`starts_at > 2026-04-17`, false, ""},
		{`starts_at > "2026-04-17T10:59:00Z"`, true, ""}, {`starts_at < 2026-04-17T13:30:00+02:00`, true, ""},
		{`starts_at increased`, true, ""}, {`starts_at increased by 90m`, true, ""}, {`starts_at increased by 2h`, false, ""},
		{`starts_at decreased`, false, ""}, {`starts_at was 2026-04-17`, true, ""},
	})
	past := change(t, "article", `{"title": "x", "published_at": "2026-04-10T11:00:00Z"}`, "")
	expect(t, past, []expectation{{`published_at within last 2h`, true, ""}, {`published_at within 2h`, false, ""}})
}

func TestJoiningConditions(t *testing.T) {
	c := product(t, `, "brand": "Reed"`, cheaper)
	expect(t, c, []expectation{
		{`brand = "Reed" and (price decreased or availability changed)`, true, "price went from"},
		{`brand = "Reed" and price increased or price decreased`, true, ""}, // and binds closer
		{`price decreased or brand = "x" and price increased`, true, ""},
		{`(price decreased or brand = "x") and price increased`, false, ""},
		{`all(brand = "Reed", any(price increased, price decreased by 5%))`, true, ""},
		{`NOT (brand = "Reed" AND price decreased)`, false, ""},
		{`not not brand = Reed`, true, ""},
	})
}

func TestFieldsInsideMapsAndOfSchemasOfOnesOwn(t *testing.T) {
	c := change(t, "item", `{"title": "x", "slots": {"colour": "Red", "size": "41", "rate": "4,21", "fee": "€ 1.250,00", "due": "2026-04-18"}}`,
		`{"field": "slots", "old": {"colour": "Blue", "size": "41", "rate": "4,28"}, "new": {"colour": "Red", "size": "41", "rate": "4,21"}}`)
	expect(t, c, []expectation{
		{`slots.colour = "red"`, true, ""}, {`slots.colour changed`, true, `from "Blue" to "Red"`}, {`slots.size changed`, false, ""},
		{`slots contains "re"`, true, ""}, {`slots.colour became "red"`, true, ""}, {`slots.weight = 3`, false, "missing"},
		{`slots.rate > 4.2`, true, ""}, {`slots.rate decreased by 1%`, true, ""}, {`slots.rate falls below 4.25`, true, ""}, {`slots.fee >= 1250`, true, ""},
		{`slots.due < 2026-05-01`, true, ""}, {`slots.colour > 3`, false, "cannot be compared"},
	})
	own := curlew.Schema{Name: "boats", Fields: []curlew.Field{{Name: "draught", Type: curlew.TypeNumber}, {Name: "Länge über alles", Type: curlew.TypeNumber}}}
	boat := change(t, "boats", `{"draught": 1.85, "Länge über alles": 12}`, "")
	f, err := Compile("draught < 2 and `Länge über alles` >= 12", own)
	if err != nil {
		t.Fatal(err)
	}
	if got, why := f.Matches(boat); !got {
		t.Error(why)
	}
	if loose, err := Compile("draught < 2 and draught > 1.8"); err != nil {
		t.Error(err)
	} else if got, why := loose.Matches(boat); !got {
		t.Error(why)
	}
}

func TestAFilterThatCannotBeIsExplainedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ filter, sentence, caret string }{
		{`bedrooms > 4`, `unknown field "bedrooms"; a column of a list is written slots.bedrooms`, "^^^^^^^^"},
		{`pirce decreased`, `unknown field "pirce"; did you mean price?`, "^^^^^"},
		{`price decresed by 5%`, `“decresed” is no test; did you mean decreased?`, "      ^^^^^^^^"},
		{`price < "cheap"`, "a number (12.50, 12.50 EUR) or a date", `        ^^^^^^^`},
		{`price < 2026-04-18`, "price is a number; this value is not", "        ^^^^^^^^^^"},
		{`price`, "what about price?", "     ^"},
		{`price < `, "a value is missing here", "        ^"},
		{`price < 1,000`, "without separators of thousands", "         ^"},
		{`availability became "instock"`, `availability is never "instock"; did you mean in_stock?`, `                    ^^^^^^^^^`},
		{`price contains "5"`, "price is no text", "      ^^^^^^^^"},
		{`name increased`, "name is no number", "     ^^^^^^^^^"},
		{`title within 7d`, "title is no time", "      ^^^^^^"},
		{`starts_at within "soon"`, "a duration belongs here", `                 ^^^^^^`},
		{`(price < 5`, "this parenthesis is not closed", "^"},
		{`price < 5)`, "closes nothing", "         ^"},
		{`price < 5 name = "x"`, "join another one with and or or", "          ^^^^"},
		{`title contains "jazz`, "has no closing quote", `               ^`},
		{`title contains ""`, "is empty", `               ^^`},
		{`and price < 5`, "begins with the name of a field", "^^^"},
		{`rating < 3 EUR`, "rating is no amount of money", "         ^^^^^"},
		{`online = "yes"`, "online is true or false", `         ^^^^^`},
		{`price decreased by -5`, "none below zero", "                   ^^"},
		{`city in "Kraków"`, "comes a list", `        ^^^^^^^^`},
		{`city = "Łódź" and pirce < 3`, "did you mean price", `                  ^^^^^`},
		{`price ? 3`, "has no meaning here", "      ^"},
		{`starts_at > 3`, "starts_at is a time", "            ^"},
		{strings.Repeat("not ", 40) + "price < 5", "more than 32 deep", "^"},
		{strings.Repeat("(", 200) + "price < 5" + strings.Repeat(")", 200), "more than 32 deep", "^"},
		{strings.Repeat("x", 5000), "4096 are the most", "^"},
		{"price < \xff", "not valid UTF-8", "        ^"},
	} {
		t.Run(c.filter, func(t *testing.T) {
			_, err := Compile(c.filter, curlew.Schemas()...)
			var p *ExpressionError
			if !errors.As(err, &p) {
				t.Errorf("%.60s: %v", c.filter, err)
				return
			}
			_, caret, _ := strings.Cut(p.Excerpt, "\n  ")
			if !strings.Contains(p.Sentence, c.sentence) || !strings.HasSuffix(caret, c.caret) || len(c.filter) < 80 && caret != c.caret {
				t.Errorf("%.60s: %v", c.filter, err)
			}
			if f := curlew.AsFault(err); !errors.Is(f, curlew.Code("bad_filter")) || f.Kind != curlew.KindPermanent {
				t.Errorf("%.60s: %+v", c.filter, f)
			}
		})
	}
}

func TestWithoutSchemasOnlyTheLanguageIsChecked(t *testing.T) {
	if _, err := Compile(`pirce decreased`); err != nil {
		t.Error(err)
	}
	if _, err := Compile(`pirce decresed`); err == nil {
		t.Error("nonsense was accepted")
	}
}

func TestHostileNumbersAreBounded(t *testing.T) {
	f, err := Compile(`rating < 3`)
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]bool{"1e999999999": false, "1e-999999999": true, "-1e308": true, strings.Repeat("9", 100): false, "0." + strings.Repeat("0", 5000) + "1": true} {
		t.Run(value, func(t *testing.T) {
			c := change(t, "product", `{"name": "x", "rating": `+value+`}`, "")
			if got, why := f.Matches(c); got != want {
				t.Errorf("%.20s: %v %s", value, got, why)
			}
		})
	}
}
