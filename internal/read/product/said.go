package product

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text/money"
	"golang.org/x/net/html"
)

// said are the amounts that the page gives to machines as prices, in hundredths,
// with how far each is believed.
type said map[int64]float64

func (s said) add(text string, trust float64) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 40 {
		return
	}
	price, ok := money.Parse(text, "")
	if !ok || price.Free {
		return
	}
	if cents, ok := money.Minor(price.Amount, ""); ok && cents > 0 && s[cents] < trust {
		s[cents] = trust
	}
}

// saidPrices collects what structured data, cards, attributes and the scripts of
// analytics call the price.
func (l *layout) saidPrices() said {
	all := said{}
	if l.known != nil {
		if value := l.known.Fields["price"]; value != nil {
			all.add(fmt.Sprint(value), 1)
			for _, rival := range l.known.Provenance["price"].Rivals {
				all.add(rival.Value, 0.8)
			}
		}
	}
	for _, name := range []string{"product:price:amount", "og:price:amount", "product:sale_price:amount", "twitter:data1"} {
		all.add(l.doc.Meta(name), 0.7)
	}
	for n := range l.doc.Tree().Descendants() {
		if n.Type == html.ElementNode && !l.aside(n) {
			l.attributePrices(n, all)
		}
	}
	l.scriptPrices(all)
	return all
}

func (l *layout) attributePrices(n *html.Node, all said) {
	for i := range n.Attr {
		a := &n.Attr[i]
		own := strings.HasPrefix(a.Key, "data-") && strings.HasSuffix(a.Key, "price") && !l.leadsAway(n)
		if own || a.Key == "content" && dom.Attr(n, "itemprop") == "price" {
			all.add(a.Val, 0.3)
		}
	}
}

// mostScript bounds how much of a page's scripts is searched for prices.
const mostScript = 4 << 20

// scriptPrices finds members named like a price in the scripts of a page, which
// tell shops' analytics what is looked at.
func (l *layout) scriptPrices(all said) {
	left, found := mostScript, 0
	for _, script := range l.doc.Scripts() {
		text := []byte(script.Text)
		if left -= len(text); left < 0 {
			return
		}
		for from := 0; found < 2_000; {
			at := bytes.Index(text[from:], []byte("rice"))
			if at < 0 {
				break
			}
			from += at + len("rice")
			if value := memberValue(text[from:]); value != "" {
				all.add(value, 0.25)
				found++
			}
		}
	}
}

// memberValue reads the number in `": 12.50`, `'='12.50'` and the like, behind the
// name of a member.
func memberValue(text []byte) string {
	text = text[:min(len(text), 48)]
	at, separated := 0, false
	for at < len(text) && strings.IndexByte("\"' :=\\", text[at]) >= 0 {
		separated = separated || text[at] == ':' || text[at] == '='
		at++
	}
	begin := at
	for at < len(text) && (isDigit(text[at]) || text[at] == '.' && at > begin) {
		at++
	}
	if !separated || at == begin || at-begin > 12 {
		return ""
	}
	return string(text[begin:at])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
