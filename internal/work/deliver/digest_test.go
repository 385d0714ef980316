package deliver

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "rewrite the expected files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and read the diff:\n%s", name, got)
	}
}

func TestADigestReadsWell(t *testing.T) {
	m := SampleDigest()
	p := pageOf(m)
	golden(t, "digest.txt", subject(m)+"\n\n"+p.plainText())
	out, err := p.html()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "digest.html", out)
	body, err := slackBody(m)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "digest.slack.json", string(body)+"\n")
	if body, err = m.Body(); err != nil {
		t.Fatal(err)
	}
	golden(t, "digest.webhook.json", string(body)+"\n")
}

func TestScrapedTextCannotBecomeMarkup(t *testing.T) {
	out, err := pageOf(SampleHostile()).html()
	if err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" || n.Data == "img" || n.Data == "b" {
			t.Errorf("there is a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "href" && !strings.HasPrefix(a.Val, "https://") {
				t.Errorf("there is %s=%q", a.Key, a.Val)
			}
		}
	}
	for _, text := range []string{out, pageOf(SampleHostile()).plainText(), subject(SampleHostile())} {
		t.Run(text, func(t *testing.T) {
			if strings.ContainsAny(text, "\u202e\x00\r") {
				t.Errorf("a character that turns or ends lines is left: %q", text)
			}
		})
	}
	if s := subject(SampleHostile()); strings.Contains(s, "\n") {
		t.Errorf("the subject has two lines: %q", s)
	}
}

func TestNothingScrapedMentionsOrLinksInAChat(t *testing.T) {
	body, err := slackBody(SampleHostile())
	if err != nil {
		t.Fatal(err)
	}
	for _, armed := range []string{`\u003c!`, `<!`, "@here", "@channel", "javascript:", `\u003chttps://evil`, "*bold*", "`code`"} {
		t.Run(armed, func(t *testing.T) {
			if strings.Contains(string(body), armed) {
				t.Errorf("%q is in %s", armed, body)
			}
		})
	}
}

// What a page says stands in a chat as it is: every sign that would format is another one.
func TestNothingScrapedFormatsInAChat(t *testing.T) {
	for said, shown := range map[string]string{
		"a *b* `c` ~d~":              "a ∗b∗ ˋcˋ ∼d∼",
		"_so_ lot_7 _":               "ˍsoˍ lot_7 ˍ",
		"@here <!channel> <@U1> #x":  "@\u2060here &lt;!channel&gt; &lt;@\u2060U1&gt; #x",
		":boom: 20:00":               ":\u2060boom: 20:00",
		"> first\n >>> second 2 > 1": "› first\n ››› second 2 &gt; 1",
	} {
		t.Run(said, func(t *testing.T) {
			if got := slackEscape(said); got != shown {
				t.Errorf("%q is shown as %q, want %q", said, got, shown)
			}
		})
	}
}

func TestAChatMessageKeepsToTheLimits(t *testing.T) {
	long := strings.Repeat("<&>é", 1000)
	payload := fmt.Sprintf(`{"entity": {"schema": "product", "external_id": "x", "url": "https://example.org/%s", "fields": {"name": "%s"}}, "reason": "%s", "changes": [%s]}`,
		strings.Repeat("a|b", 400), long, long, strings.TrimSuffix(strings.Repeat(`{"field": "`+long+`", "old": "`+long+`", "new": "x`+long+`"},`, 15), ","))
	var items []Item
	for i := range 60 {
		items = append(items, SampleItem(i, curlew.EntityChanged, fmt.Sprint("Source ", i%40), payload))
	}
	p := pageOf(Digest(SampleSubscription, items, sampleTime, Links{}))
	blocks := slackBlocks(p, Digest(SampleSubscription, items, sampleTime, Links{}))
	if len(blocks) > 50 || len(blocks) < 3 {
		t.Errorf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		limit := map[string]int{"header": 150, "section": 3000, "context": 2000}[b.Type]
		texts := b.Elements
		if b.Text != nil {
			texts = append(texts, *b.Text)
		}
		for _, text := range texts {
			if n := len([]rune(text.Text)); n > limit || n == 0 {
				t.Errorf("a %s of %d characters", b.Type, n)
			}
		}
	}
	if last := blocks[len(blocks)-1].Elements[0].Text; !strings.Contains(last, "more") {
		t.Errorf("the last line does not say how many more: %s", last)
	}
	out, err := p.html()
	if err != nil || len(out) > 160<<10 {
		t.Errorf("a digest of %d bytes, %v", len(out), err)
	}
}

func TestADigestOfManyChangesStaysReadable(t *testing.T) {
	var items []Item
	for i := range 2000 {
		items = append(items, SampleItem(i, curlew.EntityChanged, "Shop", bicycle))
	}
	m := Digest(SampleSubscription, items, sampleTime, Links{})
	p := pageOf(m)
	out, err := p.html()
	if err != nil || len(out) > 102<<10 || p.More+len(p.Groups[0].Kinds[0].Views) != 2000 || !strings.Contains(out, fmt.Sprintf("and %d more", p.More)) {
		t.Errorf("%d bytes, %d more, %v", len(out), p.More, err)
	}
	if blocks := slackBlocks(p, m); len(blocks) < 30 || len(blocks) > 50 {
		t.Errorf("%d blocks", len(blocks))
	}
}

func TestValuesAreWrittenForPeople(t *testing.T) {
	f := shownFields{curlew.Values{"currency": "JPY"}, curlew.SchemaProduct.Kind()}
	for _, c := range []struct {
		units    int64
		currency string
		want     string
	}{{129900, "EUR", "1,299.00 EUR"}, {45000, "JPY", "45,000 JPY"}, {1250, "KWD", "1.250 KWD"}, {-5, "EUR", "-0.05 EUR"}, {123456789012, "", "1,234,567,890.12"}} {
		t.Run(c.currency, func(t *testing.T) {
			if got := writeMoney(c.units, c.currency); got != c.want {
				t.Errorf("%d %s: %s, want %s", c.units, c.currency, got, c.want)
			}
		})
	}
	for text, want := range map[string]string{"2026-04-18": "Sat 18 April 2026", "2026-04-18T20:00:00+02:00": "Sat 18 April 2026, 20:00",
		"2026-04-18T20:00:00Z": "Sat 18 April 2026, 20:00 UTC", "2026-04-18T20:00:00": "Sat 18 April 2026, 20:00", "soon": "soon"} {
		t.Run(text, func(t *testing.T) {
			if got := f.write(text, curlew.TypeTime); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	head := strings.Repeat("The same beginning. ", 60)
	r := f.changed(curlew.FieldChange{Field: "description", Old: head + "old end", New: head + "new end"})
	if !strings.HasSuffix(r.Old, "old end") || !strings.HasSuffix(r.New, "new end") || len(r.Old) > 300 {
		t.Errorf("a long text that changed at its end: %+v", r)
	}
}

func TestTheSameDigestHasTheSameID(t *testing.T) {
	a, b := SampleDigest(), SampleDigest()
	other := Digest(SampleSubscription, a.Items[1:], sampleTime, Links{})
	if a.ID != b.ID || a.ID == other.ID || !strings.HasPrefix(a.ID, "dig_") {
		t.Errorf("%s %s %s", a.ID, b.ID, other.ID)
	}
}

func FuzzDigest(f *testing.F) {
	for _, payload := range []string{bicycle, concert, moved, closed, broken, hostile, "", "null", `{"changes":[{"field":"a","old":{"x":{"y":1}},"new":[[1]]}]}`} {
		f.Add(payload, "Source")
	}
	f.Fuzz(func(t *testing.T, payload, source string) {
		m := Digest(SampleSubscription, []Item{SampleItem(1, curlew.EntityChanged, source, payload)}, sampleTime, Links{})
		p := pageOf(m)
		if _, err := p.html(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(p.plainText()) {
			if strings.ContainsAny(line, "\r\x00") {
				t.Fatalf("%q", line)
			}
		}
		if _, err := slackBody(m); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(subject(m), "\r\n") {
			t.Fatalf("subject %q", subject(m))
		}
	})
}

func TestASubjectNamesTheFieldThatChangedInMany(t *testing.T) {
	change := func(fields ...string) string {
		var all []string
		for _, field := range fields {
			all = append(all, fmt.Sprintf(`{"field": %q, "old": 1, "new": 2}`, field))
		}
		return `{"entity": {"schema": "product", "fields": {"name": "x"}}, "changes": [` + strings.Join(all, ", ") + `]}`
	}
	for _, row := range []struct {
		want   string
		fields [][]string
	}{
		{"Bicycles and concerts: 3 prices changed, 1 new", [][]string{{"price"}, {"price", "price_was"}, {"rating", "price"}}},
		{"Bicycles and concerts: 3 availabilities changed, 1 changed, 1 new", [][]string{{"availability"}, {"availability"}, {"availability"}, {"price"}}},
		{"Bicycles and concerts: 3 changed (starts), 1 new", [][]string{{"starts_at"}, {"starts_at"}, {"starts_at"}}},
		{"Bicycles and concerts: 2 changed, 1 new", [][]string{{"price"}, {"price"}}},
	} {
		t.Run(row.want, func(t *testing.T) {
			var items []Item
			for i, fields := range row.fields {
				items = append(items, SampleItem(i, curlew.EntityChanged, "shop", change(fields...)))
			}
			items = append(items, SampleItem(99, curlew.EntityAppeared, "shop", concert))
			if got := subject(Digest(SampleSubscription, items, sampleTime, Links{})); got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}
