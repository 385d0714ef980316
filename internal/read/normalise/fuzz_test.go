package normalise

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestTwinsOfOneTextAreOneRecord(t *testing.T) {
	words := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Zéüøłżščñ]{1,8}`), 1, 6)
	rapid.Check(t, func(t *rapid.T) {
		list := words.Draw(t, "words")
		gap := rapid.SampledFrom([]string{" ", "  ", "\n", "\u00a0", "\t \u2003", "\u200b \u200b"}).Draw(t, "gap")
		one, _ := Record(curlew.Draft{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": norm.NFC.String(strings.Join(list, " "))}}, Context{})
		two, _ := Record(curlew.Draft{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": gap + norm.NFD.String(strings.Join(list, gap))}}, Context{})
		if one.Hash != two.Hash {
			t.Fatalf("%v and %v differ", one.Fields, two.Fields)
		}
	})
}

func TestTheLowerPriceIsNeverAboveTheHigher(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := rapid.Custom(func(t *rapid.T) any {
			return rapid.OneOf(rapid.Float64Range(0, 1e6).AsAny(), rapid.StringMatching(`[0-9]{1,5}([.,][0-9]{2})? ?(€|zł|EUR)?`).AsAny(), rapid.Int64Range(0, 1e9).AsAny()).Draw(t, "price")
		})
		record, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"price_min": price.Draw(t, "min"), "price_max": price.Draw(t, "max")}}, Context{Currency: "EUR"})
		low, hasLow := record.Fields["price_min"].(int64)
		high, hasHigh := record.Fields["price_max"].(int64)
		if hasLow && hasHigh && low > high {
			t.Fatalf("%v", record.Fields)
		}
	})
}

// nasty are pieces of which hostile and sloppy values are made.
var nasty = []string{
	"&amp;", "&lt;b&gt;", "&#38;", "lt;", "<p>", "</p>", "<", ">", "\u202e", "\u0301", "\u200d", "می", "👨", "\x00", "\xff", "a", "Kari Nordmann", "kari@x.example", "info@x.example", " (at) x.example",
	"+47 912 34 567", "tlf 22 00 12 34", "Kontaktperson: ", "contact: ", ", ", "(", ")", " ", "\n", "\n\n", ".", ";", "12 €", "$", "1.299", "19", "99", "–", "-", "free", "2026-04-18", "T20:00", "T00:00:00", "Z", "20:00",
	" 1 am", "/p?utm_a=1&b=2", "#!x", "https://a.example", "%", "/5", "k", "per hour", "Vollzeit", "InStock", "Norge", "en_GB", "Europe/Oslo", "FREQ=DAILY",
}

func TestNormalisingHostileValuesTwiceChangesNothing(t *testing.T) {
	c := Context{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Lang: "en", Country: "NO", Currency: "EUR", Base: "https://a.example/"}
	schemas := curlew.Schemas()
	rapid.Check(t, func(t *rapid.T) {
		schema := rapid.SampledFrom(schemas).Draw(t, "schema")
		fields := curlew.Values{}
		for range rapid.IntRange(1, 6).Draw(t, "count") {
			name := rapid.SampledFrom(schema.Fields).Draw(t, "field").Name
			fields[name] = strings.Join(rapid.SliceOfN(rapid.SampledFrom(nasty), 1, 8).Draw(t, "pieces"), "")
		}
		once, _ := Record(curlew.Draft{Schema: schema.Name, Fields: fields}, c)
		twice, notes := Record(curlew.Draft{Schema: schema.Name, URL: once.URL, Fields: once.Fields}, c)
		if diff := cmp.Diff(once.Fields, twice.Fields); diff != "" {
			t.Fatalf("%q changed again: %s\n%v", fields, diff, notes)
		}
	})
}

func TestATextThatStopsLookingLiteralLosesItsTagsAtOnce(t *testing.T) {
	for given, want := range map[string]string{
		"&amp;&lt;b&gt;&amp; ":             "&&",
		"Tom & Jerry <b>live</b>":          "Tom & Jerry <b>live</b>",
		"Tom & kari@x.example <b>live</b>": "Tom & <b>live</b>",
	} {
		t.Run(given, func(t *testing.T) {
			record, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": given}}, Context{})
			if got := record.Fields["title"]; got != want {
				t.Errorf("%q became %q, not %q", given, got, want)
			}
		})
	}
}

func FuzzRecord(f *testing.F) {
	seeds := []string{
		`{"title":"a","starts_at":"2026-04-18T20:00","price_min":"5–12 €","description":"<p>x</p> a@b.example"}`,
		`{"name":"x","price":1.5,"rating":"9/10","image_url":"/a 1x, /b 2x","gtin":"1"}`,
		`{"title":["a",{"name":"b"}],"slots":{"k":["v"],"e-mail":"x"},"url":"http://u:p@h/?utm_a=1#!"}`,
		`{"name":"\u0000\u202e","phone":"+47 22 00 12 34","country":"Norge","address":{"streetAddress":"x"}}`,
		`{"title":"&amp;amp;lt;b&gt;","text":"&#38;lt;","date":"1775001600","price":"free"}`,
	}
	for i, seed := range seeds {
		f.Add(seed, uint8(i))
	}
	schemas := append(curlew.Schemas(), curlew.Schema{Name: "custom"})
	c := Context{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Lang: "en", Country: "NO", Currency: "EUR", Base: "https://a.example/"}
	f.Fuzz(func(t *testing.T, text string, schema uint8) {
		var fields curlew.Values
		if json.Unmarshal([]byte(text), &fields) != nil {
			return
		}
		once, _ := Record(curlew.Draft{Schema: schemas[int(schema)%len(schemas)].Name, Fields: fields}, c)
		body, err := json.Marshal(once.Fields)
		if err != nil || !utf8.Valid(body) || strings.Contains(string(body), `\u0000`) {
			t.Fatalf("%s cannot be stored: %v", body, err)
		}
		twice, _ := Record(curlew.Draft{Schema: once.Schema, URL: once.URL, Fields: once.Fields}, c)
		if diff := cmp.Diff(once.Fields, twice.Fields); diff != "" {
			t.Fatalf("normalising again changed it: %s", diff)
		}
	})
}
