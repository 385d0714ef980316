package normalise

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/google/go-cmp/cmp"
)

// field normalises a draft of one field and gives what became of it.
func field(schema curlew.SchemaName, name string, value any, c Context) (any, []FieldNote) {
	record, notes := Record(curlew.Draft{Schema: schema, Fields: curlew.Values{name: value}}, c)
	return record.Fields[name], notes
}

func TestTextIsMadeHarmless(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"space", " a \t\n b\u00a0c\u2003d ", "a b c d"},
		{"NUL and controls", "a\x00b\x07c\x1bd", "ab c d"},
		{"byte order mark and zero width", "\ufeffa\u200bb\u2060c", "abc"},
		{"override of direction", "invoice\u202egpj.exe", "invoicegpj.exe"},
		{"isolates", "\u2066x\u2069", "x"},
		{"invalid bytes", "a\xff\xfeb", "ab"},
		{"lone surrogate", "a\xed\xa0\x80b", "ab"},
		{"composed", "Cafe\u0301", "Café"},
		{"soft hyphen", "Donau\u00addampf", "Donaudampf"},
		{"hidden tags", "hi\U000e0041\U000e0042", "hi"},
		{"icon font", "\uf095 Tickets", "Tickets"},
		{"joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"joiner in Devanagari", "क्\u200dष", "क्\u200dष"},
		{"joiner in Latin", "pass\u200dword", "password"},
		{"family of emoji", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"entities", "Tom &amp; Jerry&#39;s", "Tom & Jerry's"},
		{"entities twice", "Tom &amp;amp; Jerry", "Tom & Jerry"},
		{"tags", "<b>Big</b> <script>alert(1)</script>day", "Big day"},
		{"escaped tags", "&lt;b&gt;Big&lt;/b&gt;", "Big"},
		{"less than", "a < b and c > d", "a < b and c > d"},
		{"heart", "I <3 you", "I <3 you"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := field(curlew.SchemaEvent, "title", c.in, Context{}); got != c.want {
				t.Errorf("%q became %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestALetterWithAMegabyteOfMarksIsBounded(t *testing.T) {
	got, _ := field(curlew.SchemaEvent, "title", "a"+strings.Repeat("\u0301", 1<<19), Context{})
	if s, _ := got.(string); len(s) > 64 || !strings.HasPrefix(s, "á") {
		t.Errorf("%d bytes are left", len(s))
	}
	got, notes := field(curlew.SchemaEvent, "title", strings.Repeat("long ", 1<<18), Context{})
	if s, _ := got.(string); len(s) > maxLine || len(notes) == 0 {
		t.Errorf("%d bytes are left, notes %v", len(s), notes)
	}
}

func TestLongTextKeepsItsParagraphs(t *testing.T) {
	got, _ := field(curlew.SchemaEvent, "description", "<p>One\ntwo</p><ul><li>a</li><li>b</li></ul>", Context{})
	if want := "One\ntwo\n\na\n\nb"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, _ = field(curlew.SchemaArticle, "text", "use <b> &amp; go", Context{}); got != "use <b> &amp; go" {
		t.Errorf("what an article shows became %q", got)
	}
}

func TestAddressesAreCleaned(t *testing.T) {
	base := Context{Base: "https://a.example/dir/page"}
	cases := []struct{ in, want string }{
		{"../x?utm_source=a&id=1&fbclid=2", "https://a.example/x?id=1"}, {"HTTPS://A.Example:443", "https://a.example/"},
		{"//b.example/p#part", "https://b.example/p"}, {"/p#!/route", "https://a.example/p#!/route"}, {"http://u:p@c.example/", "http://c.example/"},
		{"https://d.example/a b", "https://d.example/a%20b"}, {"java\tscript:alert(1)", ""}, {"mailto:kari@example.org", ""}, {"data:text/html,x", ""},
		{"file:///etc/passwd", ""}, {"https://", ""}, {"http://[::1", ""}, {"/" + strings.Repeat("x", 3000), ""}, {"ht\x00tps://e.example/", "https://e.example/"},
	}
	for _, c := range cases {
		t.Run(c.in, func(t *testing.T) {
			got, notes := field(curlew.SchemaEvent, "url", c.in, base)
			if s, _ := got.(string); s != c.want || c.want == "" && len(notes) == 0 {
				t.Errorf("%q became %q (%v), want %q", c.in, s, notes, c.want)
			}
		})
	}
	images := []struct{ in, want string }{
		{"/a.jpg 300w, /b.jpg 900w, /c.jpg 600w", "https://a.example/b.jpg"}, {"/a.jpg, /b.jpg 2x", "https://a.example/b.jpg"}, {"/only.jpg", "https://a.example/only.jpg"},
		{"/w_100,h_100/a.jpg 100w, /w_200,h_200/a.jpg 200w", "https://a.example/w_200,h_200/a.jpg"},
	}
	for _, c := range images {
		t.Run(c.in, func(t *testing.T) {
			if got, _ := field(curlew.SchemaEvent, "image_url", c.in, base); got != c.want {
				t.Errorf("%q became %v, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestCountsAndRatings(t *testing.T) {
	cases := []struct {
		name     string
		in, want any
	}{
		{"review_count", "1,234 reviews", int64(1234)}, {"review_count", "(1.234)", int64(1234)}, {"review_count", "1.2k", int64(1200)}, {"review_count", "3K ratings", int64(3000)},
		{"review_count", 17.0, int64(17)}, {"review_count", "1.5", nil}, {"review_count", "none", nil}, {"review_count", 1e300, nil}, {"review_count", "9007199254740993", nil},
		{"rating", "4,5", 4.5}, {"rating", "4.5/5", 4.5}, {"rating", "9 von 10", 4.5}, {"rating", "90%", 4.5}, {"rating", 4.0, 4.0}, {"rating", 9.1, nil}, {"rating", "great", nil}, {"rating", math.NaN(), nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := field(curlew.SchemaProduct, c.name, c.in, Context{}); got != c.want {
				t.Errorf("%s %v became %v, want %v", c.name, c.in, got, c.want)
			}
		})
	}
	record, _ := Record(curlew.Draft{Schema: curlew.SchemaProduct, Fields: curlew.Values{"rating": "8", "best_rating": 10}}, Context{})
	if record.Fields["rating"] != 4.0 {
		t.Errorf("8 of 10 became %v", record.Fields["rating"])
	}
}

func TestChoicesAreReadInManyLanguages(t *testing.T) {
	cases := []struct {
		schema         curlew.SchemaName
		name, in, want string
	}{
		{curlew.SchemaProduct, "availability", "https://schema.org/InStock", "in_stock"}, {curlew.SchemaProduct, "availability", "http://schema.org/SoldOut", "out_of_stock"},
		{curlew.SchemaProduct, "availability", "PreOrder", "preorder"}, {curlew.SchemaProduct, "availability", "Currently unavailable.", "out_of_stock"},
		{curlew.SchemaProduct, "availability", "Produkt niedostępny", "out_of_stock"}, {curlew.SchemaProduct, "availability", "Nicht auf Lager", "out_of_stock"},
		{curlew.SchemaProduct, "availability", "Auf Lager", "in_stock"}, {curlew.SchemaProduct, "availability", "skladem (5 ks)", "in_stock"}, {curlew.SchemaProduct, "availability", "Нет в наличии", "out_of_stock"},
		{curlew.SchemaProduct, "availability", "在庫あり", "in_stock"}, {curlew.SchemaProduct, "condition", "https://schema.org/UsedCondition", "used"}, {curlew.SchemaProduct, "condition", "Company", ""},
		{curlew.SchemaEvent, "status", "EventCancelled", "cancelled"}, {curlew.SchemaEvent, "status", "ODWOŁANE", "cancelled"}, {curlew.SchemaEvent, "status", "https://schema.org/EventMovedOnline", "moved_online"},
		{curlew.SchemaEvent, "status", "SOLD OUT!", "sold_out"}, {curlew.SchemaEvent, "status", "https://schema.org/SoldOut", "sold_out"}, {curlew.SchemaEvent, "status", "http://schema.org/SoldOut/", "sold_out"},
		{curlew.SchemaEvent, "status", "schema:SoldOut", "sold_out"}, {curlew.SchemaProduct, "availability", "schema:SoldOut", "out_of_stock"}, {curlew.SchemaEvent, "status", "CONFIRMED", "scheduled"}, {curlew.SchemaJob, "salary_period", "HOUR", "hour"}, {curlew.SchemaJob, "salary_period", "monatlich", "month"},
		{curlew.SchemaJob, "salary_period", "p.a.", "year"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, notes := field(c.schema, c.name, c.in, Context{})
			if s, _ := got.(string); s != c.want || c.want == "" && len(notes) < 2 {
				t.Errorf("%s %q became %v, want %q", c.name, c.in, got, c.want)
			}
		})
	}
	for in, want := range map[string]string{"Vollzeit": "FULL_TIME", "unbefristet, Teilzeit": "PART_TIME", "full-time": "FULL_TIME", "Permanent contract": "Permanent contract", "неполный день": "PART_TIME", "temps plein": "FULL_TIME"} {
		t.Run(in, func(t *testing.T) {
			if got := employment(in); got != want {
				t.Errorf("%q became %q", in, got)
			}
		})
	}
}

func TestMoneyIsCountedInMinorUnits(t *testing.T) {
	cases := []struct {
		price    any
		c        Context
		want     any
		currency any
	}{
		{"12,50 €", Context{}, int64(1250), "EUR"}, {"12.50", Context{Currency: "EUR"}, int64(1250), "EUR"}, {12.5, Context{Currency: "KWD"}, int64(12500), "KWD"},
		{"¥1,200", Context{Lang: "ja"}, int64(1200), "JPY"}, {"$5", Context{Country: "CA"}, int64(500), "CAD"}, {"$5", Context{Currency: "EUR"}, int64(500), nil},
		{"$5", Context{Currency: "USD"}, int64(500), "USD"}, {int64(1250), Context{Currency: "EUR"}, int64(1250), nil}, {"-5 €", Context{}, nil, "EUR"},
		{"99999999999999999999 €", Context{}, nil, "EUR"}, {"soon", Context{Currency: "EUR"}, nil, nil}, {"free", Context{}, int64(0), nil}, {1e3, Context{Currency: "EUR"}, int64(100000), "EUR"},
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			record, _ := Record(curlew.Draft{Schema: curlew.SchemaProduct, Fields: curlew.Values{"price": c.price}}, c.c)
			if record.Fields["price"] != c.want || record.Fields["currency"] != c.currency {
				t.Errorf("%v became %v %v, want %v %v", c.price, record.Fields["price"], record.Fields["currency"], c.want, c.currency)
			}
		})
	}
}

func TestSalariesHaveAPeriod(t *testing.T) {
	cases := []struct {
		in       any
		c        Context
		min, max any
		period   any
	}{
		{"€45,000 - €60,000 p.a.", Context{}, int64(4500000), int64(6000000), "year"}, {"3.500 €/Monat", Context{}, int64(350000), nil, "month"}, {"25 zł / godz.", Context{}, int64(2500), nil, "hour"},
		{"45 000 – 60 000", Context{Currency: "SEK"}, int64(4500000), int64(6000000), nil}, {"$120k–$150k per year", Context{Country: "US"}, int64(12000000), int64(15000000), "year"},
	}
	for i, c := range cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			record, _ := Record(curlew.Draft{Schema: curlew.SchemaJob, Fields: curlew.Values{"salary_min": c.in}}, c.c)
			got := []any{record.Fields["salary_min"], record.Fields["salary_max"], record.Fields["salary_period"]}
			if diff := cmp.Diff([]any{c.min, c.max, c.period}, got); diff != "" {
				t.Errorf("%v: %s", c.in, diff)
			}
		})
	}
}

func TestZonesComeFromWhatIsKnown(t *testing.T) {
	warsaw, _ := time.LoadLocation("Europe/Warsaw")
	cases := []struct {
		fields curlew.Values
		c      Context
		want   string
		zone   any
	}{
		{curlew.Values{}, Context{}, "2026-04-18T20:00:00", nil},
		{curlew.Values{}, Context{Zone: warsaw}, "2026-04-18T20:00:00+02:00", "Europe/Warsaw"},
		{curlew.Values{"timezone": "Asia/Tokyo"}, Context{Zone: warsaw}, "2026-04-18T20:00:00+09:00", "Asia/Tokyo"},
		{curlew.Values{"latitude": 40.7, "longitude": -74.0}, Context{}, "2026-04-18T20:00:00-04:00", "America/New_York"},
		{curlew.Values{"country": "Finland"}, Context{}, "2026-04-18T20:00:00+03:00", "Europe/Helsinki"},
		{curlew.Values{"country": "US"}, Context{}, "2026-04-18T20:00:00", nil},
		{curlew.Values{"starts_at": "2026-04-18T20:00+01:00"}, Context{Zone: warsaw}, "2026-04-18T20:00:00+01:00", nil},
	}
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			if c.fields["starts_at"] == nil {
				c.fields["starts_at"] = "2026-04-18T20:00"
			}
			record, _ := Record(curlew.Draft{Schema: curlew.SchemaEvent, Fields: c.fields}, c.c)
			if record.Fields["starts_at"] != c.want || record.Fields["timezone"] != c.zone {
				t.Errorf("%v became %v in %v", c.fields, record.Fields["starts_at"], record.Fields["timezone"])
			}
		})
	}
}

func TestCountriesPhonesAndLanguages(t *testing.T) {
	for in, want := range map[string]string{"Deutschland": "DE", "de": "DE", "DEU": "DE", "UK": "GB", "Polska": "PL", "Norge": "NO", "日本": "JP", "U.S.A.": "US", "Nowhere": "Nowhere"} {
		t.Run(in, func(t *testing.T) {
			if got := country(in); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		})
	}
	for in, want := range map[string]string{"22 00 12 34": "+4722001234", "+48 22 826 27 57": "+48228262757", "Tel.: 22 00 12 34": "+4722001234", "ask us": "ask us"} {
		t.Run(in, func(t *testing.T) {
			if got, _ := field(curlew.SchemaOrganization, "phone", in, Context{Country: "NO"}); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		})
	}
	if got, notes := field(curlew.SchemaArticle, "language", "Klingon!", Context{}); got != nil || len(notes) == 0 {
		t.Errorf("%v %v", got, notes)
	}
}
