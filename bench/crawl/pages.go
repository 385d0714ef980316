package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// pages are the pages of a site, made of shared pieces so that they take little
// memory and the server little time. Page 0 is the start; each page links to
// eight that follow from it, so all can be reached, and to others at random.
type pages struct {
	heads  [][]byte // one per page: title, navigation, links
	pieces [][]byte
	order  [][]int // the pieces of each page
	sizes  []int
}

const (
	children    = 8
	randomLinks = 32
	sections    = 20
	pieceCount  = 400
	foot        = "</main><footer class=\"site-footer\"><p>All of this is made up.</p></footer></body></html>\n"
)

func makePages(n, size int) *pages {
	random := rand.New(rand.NewPCG(1, 2))
	words := makeWords(random)
	p := &pages{}
	for i := range pieceCount {
		p.pieces = append(p.pieces, piece(random, words, i))
	}
	for i := range n {
		head := []byte(head(random, words, i, n))
		var order []int
		total := len(head) + len(foot)
		for total < size {
			next := random.IntN(pieceCount)
			order = append(order, next)
			total += len(p.pieces[next])
		}
		p.heads, p.order, p.sizes = append(p.heads, head), append(p.order, order), append(p.sizes, total)
	}
	return p
}

// append adds page i to buffer.
func (p *pages) append(buffer []byte, i int) []byte {
	buffer = append(buffer, p.heads[i]...)
	for _, piece := range p.order[i] {
		buffer = append(buffer, p.pieces[piece]...)
	}
	return append(buffer, foot...)
}

func pagePath(i int) string {
	if i == 0 {
		return "/"
	}
	return fmt.Sprintf("/articles/%d/page-%d", i%sections, i)
}

func head(random *rand.Rand, words []string, i, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>%s %d</title>`, sentence(random, words, 4), i)
	b.WriteString(`<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head>` +
		`<body><nav class="site-nav"><ul>`)
	link := func(to int, class string) {
		if to < n {
			fmt.Fprintf(&b, `<li class="%s"><a href="%s" class="link">%s</a></li>`, class, pagePath(to), sentence(random, words, 3))
		}
	}
	for s := range sections {
		link(s, "nav__item")
	}
	b.WriteString(`</ul></nav><aside class="related"><ol>`)
	for c := range children {
		link(i*children+c+1, "related__item")
	}
	for range randomLinks {
		link(random.IntN(n), "related__item")
	}
	b.WriteString(`</ol></aside><main class="content">`)
	return b.String()
}

// piece is a card of about 1.6 KB as shops, newspapers and forums have them.
func piece(random *rand.Rand, words []string, i int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `
<article class="card card--wide" id="item-%d" data-kind="%s">
  <header class="card__header"><h3 class="card__title"><span>%s</span></h3>
    <p class="card__meta"><time datetime="2026-%02d-%02d">%d days ago</time> · <span class="author">%s</span></p></header>
`, i, words[i], sentence(random, words, 6), 1+i%12, 1+i%28, i, sentence(random, words, 2))
	for range 2 {
		fmt.Fprintf(&b, "  <div class=\"card__body\"><p>%s <em>%s</em> %s &amp; <strong>%s</strong>.</p></div>\n",
			sentence(random, words, 40), sentence(random, words, 3), sentence(random, words, 30), sentence(random, words, 2))
	}
	b.WriteString("  <ul class=\"card__facts\">\n")
	for range 4 {
		fmt.Fprintf(&b, "    <li class=\"fact\"><span class=\"fact__name\">%s</span> <span class=\"fact__value\">%d</span></li>\n",
			sentence(random, words, 2), random.IntN(10_000))
	}
	b.WriteString("  </ul>\n</article>")
	return []byte(b.String())
}

// makeWords makes up a vocabulary.
func makeWords(random *rand.Rand) []string {
	syllables := strings.Fields("an be ca do el fi gra ho in ka lo mer ne or pla qui ra sto ta un ver wo ys ze ber ton ment ing er ly tion al")
	words := make([]string, 3000)
	for i := range words {
		for range 1 + random.IntN(3) {
			words[i] += syllables[random.IntN(len(syllables))]
		}
	}
	return words
}

// sentence takes few words often and most rarely, as language does.
func sentence(random *rand.Rand, words []string, n int) string {
	some := make([]string, n)
	for i := range some {
		x := random.Float64()
		some[i] = words[int(x*x*x*float64(len(words)))]
	}
	return strings.Join(some, " ")
}
