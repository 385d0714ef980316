package dom

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const cards = `<div id="main" class="grid">` +
	`<article class="card"><h2 class="name">One</h2><span class="price">1</span></article>` +
	`<article class="card"><h2 class="name">Two</h2><span class="price">2</span></article>` +
	`<article class="card"><h2 class="name">Three</h2><span class="price">3</span></article></div><footer class="foot"><p>x</p></footer>`

func TestFingerprintsIgnoreWhatIsNotStructure(t *testing.T) {
	before := page(cards).Fingerprint()
	for name, body := range map[string]string{
		"text":            strings.ReplaceAll(cards, "One", "Another <b>one</b><br>entirely"),
		"one more record": strings.Replace(cards, "<article", `<article class="card"><h2 class="name">Four</h2><span class="price">4</span></article><article`, 1),
		"attributes":      strings.Replace(cards, `<div id="main" class="grid">`, `<div data-nonce="8f3a" class="grid" style="top:1px" id="main">`, 1),
		"generated names": strings.ReplaceAll(cards, `class="card"`, `class="card css-1x2y3z sc-bdVaJa is-active ab-b card--new"`),
		"scripts":         cards + `<script>x</script><style>y</style><noscript>z</noscript><link rel=x>`,
		"numbered ids":    strings.ReplaceAll(cards, `<h2 `, `<h2 id="h-4711" `),
	} {
		t.Run(name, func(t *testing.T) {
			after := page(body).Fingerprint()
			if after.Hash != before.Hash || Compare(before, after).Distance != 0 {
				t.Errorf("distance %.3f\n%s", Compare(before, after).Distance, strings.Join(after.Skeleton, "\n"))
			}
		})
	}
}

func TestDistanceIsGraded(t *testing.T) {
	before := page(cards).Fingerprint()
	far := func(body string) float64 { return Compare(before, page(body).Fingerprint()).Distance }
	small := far(cards + `<div class="banner">New</div>`)
	middle := far(strings.ReplaceAll(cards, `"price"`, `"amount"`))
	large := far(`<table class=t><tr><td>One<td>1<tr><td>Two<td>2</table>`)
	if !(0 < small && small < middle && middle < large && large > 0.95) {
		t.Errorf("a banner %.2f, a class %.2f, another page %.2f", small, middle, large)
	}
}

func TestCompareShowsBothOutlines(t *testing.T) {
	after := strings.ReplaceAll(strings.ReplaceAll(cards, `"price"`, `"amount"`), "footer", "section")
	drift := Compare(page(cards).Fingerprint(), page(after).Fingerprint())
	want := []DriftLine{
		{"body", "body", true},
		{"  div#main.grid", "  div#main.grid", true},
		{"    article.card", "    article.card", true},
		{"      h2.name", "      h2.name", true},
		{"      span.price", "      span.amount", false},
		{"  footer.foot", "  section.foot", false},
		{"    p", "    p", true},
	}
	if !reflect.DeepEqual(drift.Lines, want) {
		t.Errorf("%+v", drift.Lines)
	}
	summary := strings.Join(drift.Summary, "; ")
	for _, word := range []string{"class names: 1 of 6 are gone (price), 1 are new (amount)", "tags: 1 of 7 are gone (footer), 1 are new (section)", "removed: footer.foot", "added: section.foot"} {
		t.Run(word, func(t *testing.T) {
			if !strings.Contains(summary, word) {
				t.Errorf("%q lacks %q", summary, word)
			}
		})
	}
}

func TestStableNames(t *testing.T) {
	for name, want := range map[string]string{
		"card": "card", "card__title": "card__title", "card--big": "card", "post-123": "post-#", "col-md-6": "col-md-#",
		"css-1x2y3z": "", "sc-bdVaJa": "", "jsx-1234567890": "", "svelte-1ab2c3": "", "Card_title__3xY2z": "Card_title",
		"productCard": "productCard", "is-open": "", "js-toggle-3": "", "ab-variant": "", "h1": "h#", "MuiButton-root": "MuiButton-root",
		"top-10px": "top-#px", "x1n2onr6": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := stableName(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		})
	}
}

func TestAFingerprintSurvivesJSON(t *testing.T) {
	before := page(cards).Fingerprint()
	text, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	var after Fingerprint
	if err := json.Unmarshal(text, &after); err != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("%v: %+v", err, after)
	}
}

func FuzzFingerprint(f *testing.F) {
	f.Add([]byte(cards), []byte(`<p class=a>`))
	f.Add([]byte(`<frameset><frame>`), []byte(``))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		a, b := New(one, "").Fingerprint(), New(two, "").Fingerprint()
		if again := New(one, "").Fingerprint(); !reflect.DeepEqual(a, again) {
			t.Fatal("the same page gives another fingerprint")
		}
		if d := Compare(a, a).Distance; d != 0 {
			t.Fatalf("a page differs from itself by %f", d)
		}
		there, back := Compare(a, b), Compare(b, a)
		if there.Distance != back.Distance || there.Distance < 0 || there.Distance > 1 {
			t.Fatalf("%f there, %f back", there.Distance, back.Distance)
		}
		same := 0
		for _, line := range there.Lines {
			if line.Same != (line.Before == line.After) {
				t.Fatalf("%+v", line)
			}
			if line.Same {
				same++
			}
		}
		if same > len(a.Skeleton) || len(there.Lines) < max(len(a.Skeleton), len(b.Skeleton)) {
			t.Fatal("lines are lost")
		}
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{cards, "<table><tr><td>a<td>b", "a<br>b<pre>c\nd", "<p style=display:none>x", "&nbsp;&shy;\u3000x", "<a href=x><b>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d := New(body, "https://example.org/")
		text, line := d.Text(), Line(d.Tree())
		if strings.Join(strings.Fields(text), " ") != line {
			t.Fatalf("the text %q is not the line %q", text, line)
		}
		var parts []string
		for _, b := range d.Blocks() {
			if b.Text == "" || strings.ContainsAny(b.Text, "\n\t") || b.Node == nil {
				t.Fatalf("block %q", b.Text)
			}
			parts = append(parts, b.Text)
		}
		if strings.Join(parts, " ") != line {
			t.Fatalf("the blocks %q are not the line %q", parts, line)
		}
		d.VisibleText()
		for _, l := range d.Links() {
			if !strings.HasPrefix(l.URL, "http") {
				t.Fatalf("link %q", l.URL)
			}
		}
		for _, table := range d.Tables() {
			for _, row := range table.Rows {
				if len(row) != len(table.Rows[0]) || table.Header != nil && len(table.Header) != len(row) {
					t.Fatal("rows differ in length")
				}
			}
		}
		for n := range elements(d.Tree()) {
			if d.At(d.Path(n)) != n || d.Path(n) != Path(n) {
				t.Fatalf("%s leads elsewhere", d.Path(n))
			}
		}
	})
}
