package dom

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func page(body string) *Document { return New([]byte(body), "https://example.org/a/b") }

func TestTextStandsAsABrowserLaysItOut(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"blocks end lines", `<div>One</div><p>Two <p>Three`, "One\nTwo\nThree"},
		{"br ends a line", `One<br>Two<br/><br>Three`, "One\nTwo\nThree"},
		{"source lines do not", "One\n\n  two\tthree", "One two three"},
		{"except in pre", "<pre>One  two\nthree</pre>", "One two\nthree"},
		{"bare inline markup leaves no gap", `<p><span>M</span>ar<b>ch</b> <font size=2>1</font>2`, "March 12"},
		{"comments leave no gap", `10<!-- -->:<!-- -->30`, "10:30"},
		{"word processors split words", `<p><span class="s1">Mee</span><span class="s2">ting</span> <span class="TextRun A1">at</span><span class="TextRun B2">tend</span>`, "Meeting attend"},
		{"style sheets part neighbours", `<span class="month">Mar</span><span class="day">12</span>`, "Mar 12"},
		{"but not the pieces of a price", `<span class="sign">$</span><span class="whole">12.</span><span class="cents">99</span>`, "$12.99"},
		{"nor those of a time", `<span class="hour">10:</span><span class="minute">30</span>`, "10:30"},
		{"labels are set apart", `<span class="label">Doors:</span><span class="value">open</span>`, "Doors: open"},
		{"drop caps are not", `<span class="dropcap">O</span>nce`, "Once"},
		{"cells stand beside each other", `<table><tr><td>a</td><td>b</td></tr><tr><td><p>c</p></td><td><p>d</p></td></table>e`, "a\tb\nc\td\ne"},
		{"empty cells leave one gap", `<table><tr><td>a<td><td>c</table>`, "a\tc"},
		{"buttons stand apart", `Save<button>Now</button>or`, "Save Now or"},
		{"custom elements stand apart", `<my-date>Mon</my-date><my-time>9</my-time>`, "Mon 9"},
		{"display:block on a span ends lines", `a<span style="display: block">b</span>c`, "a\nb\nc"},
		{"hard and zero-width spaces", "1&nbsp;234&#8239;zł&shy;ote \u200b!", "1 234 złote !"},
		{"options are lines", `<select><option>S<option>M</select>`, "S\nM"},
		{"entities are decoded", `Caf&eacute; &amp; Bar &lt;b>`, "Café & Bar <b>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := page(c.body).Text(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestHiddenTextIsNotText(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"scripts and styles", `a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>`, "a"},
		{"drawings and their titles", `a<svg><title>b</title><text>c</text></svg><math><mi>d</mi></math>`, "a"},
		{"the hidden attribute", `a<div hidden>b</div><div hidden="until-found">c</div>`, "a\nc"},
		{"inline styles", `a<p style="color:red; DISPLAY : none">b</p><p style="visibility:hidden">c</p>`, "a"},
		{"a style that does not hide", `a <b style="display:inline">b</b>`, "a b"},
		{"the last declaration wins", `a <b style="display:none;display:inline">b</b>`, "a b"},
		{"hidden inputs", `a<input type=hidden value=b>c`, "ac"},
		{"closed dialogs", `a<dialog>b</dialog><dialog open>c</dialog>`, "a\nc"},
		{"icons", `<a href=/>More <i aria-hidden="true">arrow_forward</i></a>`, "More"},
		{"doubles of text for screen readers", `<span class="sr-only">$12.99</span><span aria-hidden="true">$12<sup>99</sup></span>`, "$12.99"},
		{"not a price that no other text says", `<del aria-hidden="true">$22</del> <span class="sr-only">It was: $22</span><ins aria-hidden="true">$17<sup>50</sup></ins>`,
			"It was: $22$17.50"},
		{"not the only copy", `<span aria-label="12 euro"><span aria-hidden="true">€12</span></span>`, "€12"},
		{"not a folded panel", `<h2>2025</h2><div aria-hidden="true"><p>12 March</p></div>`, "2025\n12 March"},
		{"alternative texts", `a <img alt="b">`, "a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := page(c.body).Text(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A raised sign behind a price leads to a note below; raised cents belong to the price.
func TestFootnotesOfPricesAreNotText(t *testing.T) {
	for body, want := range map[string]string{
		`129,00 €<sup>1</sup>`:                                          "129,00 €",
		`18.990 € <sup>1)</sup>`:                                        "18.990 €",
		`ab 49 €<sup>1,2</sup> im Monat`:                                "ab 49 € im Monat",
		`129,00 €<sup><a href="#fn">[12]</a></sup>`:                     "129,00 €",
		`129,00 €<a href="#fn"><sup>a</sup></a>`:                        "129,00 €",
		`129,00 €<sup>*</sup><sup>1</sup>`:                              "129,00 €",
		`<b>129,00</b><i>EUR</i><sup>2</sup>`:                           "129,00EUR",
		`<i>Petrol</i><b>18.990 €<sup>1</sup></b><i>from 219 €</i>`:     "Petrol18.990 €from 219 €",
		`$24.99<sup>3</sup>`:                                            "$24.99",
		`9,99<sup>1</sup> €`:                                            "9,99 €",
		`12<sup>99</sup> €<sup>1</sup>`:                                 "12.99 €",
		`€ 12<sup>95</sup>`:                                             "€ 12.95",
		`35 €<sup>99</sup>`:                                             "35 €99",
		`<span>35</span><sup>€99</sup>`:                                 "35€99",
		`1,74<sup>9</sup> €`:                                            "1,749 €",
		`$3.45<sup>9</sup>`:                                             "$3.459",
		`€ 3<sup>M</sup>`:                                               "€ 3M",
		`80 m<sup>2</sup>`:                                              "80 m2",
		`10<sup>6</sup> Zellen, 3.14<sup>2</sup>`:                       "106 Zellen, 3.142",
		`<p>129,00 €</p><p><sup>1</sup> plus postage</p>`:               "129,00 €\n1 plus postage",
		`the 3<sup>rd</sup> for €5, the 4<sup>th</sup> free`:            "the 3rd for €5, the 4th free",
		`<p>Seats: 129,00 €</p><table><tr><td><sup>1</sup></table> end`: "Seats: 129,00 €\n1\nend",
	} {
		t.Run(body, func(t *testing.T) {
			if got := page(body).Text(); got != want {
				t.Errorf("%s: %q, want %q", body, got, want)
			}
			if got := page(body).VisibleText(); got != want {
				t.Errorf("visible, %s: %q, want %q", body, got, want)
			}
		})
	}
}

func TestLineIsOneLine(t *testing.T) {
	d := page(`<h2>Spring<br>concert</h2><table><tr><td>a<td>b</table>`)
	if got := Line(d.Tree()); got != "Spring concert a b" {
		t.Errorf("%q", got)
	}
}

func TestBlocksStandForThemselves(t *testing.T) {
	d := page(`<h1>Title</h1><ul><li>one <b>bold</b><ul><li>inner</ul>after</li></ul>` +
		`<table><tr><td>a<td>b<br>c</table>loose`)
	var got []string
	for _, b := range d.Blocks() {
		got = append(got, b.Node.Data+": "+b.Text)
	}
	want := "h1: Title|li: one bold|li: inner|li: after|td: a|td: b|td: c|body: loose"
	if strings.Join(got, "|") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestTextOfAPiece(t *testing.T) {
	d := page(`<div hidden><p>in <b>here</b></p></div>`)
	p := d.At("/html[1]/body[1]/div[1]/p[1]")
	if got := Text(p); got != "in here" {
		t.Errorf("a hidden node that is asked for is read: %q", got)
	}
	if got := Text(p.FirstChild); got != "in" || p.FirstChild.Type != html.TextNode {
		t.Errorf("a text node is read: %q", got)
	}
}
