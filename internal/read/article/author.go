package article

import (
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"golang.org/x/net/html"
)

// readAuthor finds who wrote the article: what the page's data say, else the byline.
func (p *page) readAuthor(c choice, title string) value {
	sites := p.ownNames()
	for _, item := range p.about {
		for _, property := range []string{"author", "creator"} {
			names := people(item.Properties[property], sites)
			if len(names) > 0 {
				joined := strings.Join(names, ", ")
				return value{joined, curlew.Evidence{Tier: curlew.TierStructured, Rule: string(item.Syntax) + " " + property, Node: item.Node,
					Text: joined}}
			}
		}
	}
	for _, name := range []string{"author", "article:author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author",
		"sailthru.author", "byl", "article:author_name", "dc.contributor.author", "twitter:data1"} {
		if v := p.authorMeta(name, sites); v.text != "" {
			return v
		}
	}
	return p.byline(c, title, sites)
}

func (p *page) authorMeta(name string, sites [][]string) value {
	var names []string
	var node *html.Node
	for _, m := range p.metas {
		if m.name != name {
			continue
		}
		if name == "twitter:data1" && strings.ContainsAny(m.content, "0123456789") { // reading times stand there as well
			continue
		}
		for _, n := range persons(m.content, sites) {
			if !slices.Contains(names, n) && len(names) < maxAuthors {
				names = append(names, n)
				node = m.node
			}
		}
	}
	if len(names) == 0 {
		return value{}
	}
	joined := strings.Join(names, ", ")
	return value{joined, curlew.Evidence{Tier: curlew.TierStructured, Rule: "meta " + name, Node: dom.Path(node), Text: joined}}
}

const maxAuthors = 12

// people are the names of values that are persons, in words or as items.
func people(values []structured.Value, sites [][]string) []string {
	var names []string
	for _, v := range values {
		texts := []string{v.Text}
		if v.Item != nil {
			texts = nil
			for _, name := range v.Item.Properties["name"] {
				texts = append(texts, name.Text)
			}
		}
		for _, t := range texts {
			for _, n := range persons(t, sites) {
				if !slices.Contains(names, n) && len(names) < maxAuthors {
					names = append(names, n)
				}
			}
		}
	}
	return names
}

// byline reads elements named after authors, those near the headline first.
func (p *page) byline(c choice, title string, sites [][]string) value {
	begin, end := p.headRange(c, title)
	near := map[*html.Node]bool{}
	for _, b := range p.blocks[begin:end] {
		n := b.Node
		for range 3 {
			if n != nil {
				near[n] = true
				n = n.Parent
			}
		}
	}
	cal := calendar{page: p, above: ancestors(c.top)}
	for _, wantNear := range []bool{true, false} {
		for i, n := range p.signed {
			if i > 60 {
				break
			}
			if (near[n] || n.Parent != nil && near[n.Parent]) != wantNear || cal.elsewhere(n) {
				continue
			}
			line := shortText(n, 120)
			if found := dates.Find(line, dates.Options{Lang: p.lang}); len(found) > 0 && found[0].Begin == 0 {
				continue // the day of publication, and what was done on it
			}
			if names := persons(line, sites); len(names) > 0 {
				return value{strings.Join(names, ", "), curlew.Evidence{Tier: curlew.TierHTML, Rule: "byline", Node: dom.Path(n), Text: line}}
			}
		}
	}
	return p.byLine(begin, end, sites)
}

// byLine reads a line near the headline that says by whom.
func (p *page) byLine(begin, end int, sites [][]string) value {
	for _, b := range p.blocks[begin:end] {
		if len(b.Text) > 160 || b.prose() {
			continue
		}
		line := b.Text
		if m := innerBy().FindStringSubmatch(line); m != nil {
			line = m[1]
		} else if !openingBy().MatchString(line) {
			continue
		}
		if names := persons(line, sites); len(names) > 0 {
			return value{strings.Join(names, ", "), curlew.Evidence{Tier: curlew.TierHTML, Rule: "line with by", Node: dom.Path(b.Node),
				Text: b.Text}}
		}
	}
	return value{}
}

var (
	openingBy = text.Pattern(`(?i)^\s*(?:written by|posted by|published by|story by|text by|by|von|par|por|di|door|av|af|autor(?:in)?|autore|auteur|author|text|tekst|автор|écrit par|escrito por|scritto da|geschrieben von|geschreven door|skrevet av|skriven av|napisał[a]?)\s*[:|]?\s+`)
	// innerBy is a name of two to four words after "by" within a line ("on 3 May by Ada Lind").
	innerBy   = text.Pattern(`(?:^|\s)(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]oor|[Aa]v|[Aa]f|[Aa]utor:|[Aa]uthor:)\s+(\p{Lu}[\p{L}.'’-]*(?:\s+(?:von|van|de|da|di|der|den|v\.))*(?:\s+\p{Lu}[\p{L}.'’-]*){1,3})`)
	nameParts = text.Pattern(`(?i)\s*(?:,|;|\||/|•|·|\btwitter\b|\bfacebook\b|\binstagram\b|\band\b|\bund\b|\by\b|\bet\b|\be\b|\ben\b|\boch\b|\bog\b|\bi\b|&)\s*`)
	nameEnd   = text.Pattern(`(?i)\s*(?:\d|\(|\[|\bon\b|\bam\b|\ble\b|\bfor\b|\bupdated\b|\bpublished\b|\bposted\b|\bpublicado\b|\bveröffentlicht\b|\bfollow\b|\bvia\b|@|–|—|\s-\s|:|\||•|·|…|\n).*$`)
)

// persons are the names in a byline, cleaned of what stands around them.
func persons(s string, sites [][]string) []string {
	s = text.Collapse(s)
	if strings.Contains(s, "://") || strings.HasPrefix(s, "www.") || len(s) > 300 {
		return nil
	}
	s = openingBy().ReplaceAllString(s, "")
	var names []string
	for part := range strings.SplitSeq(nameParts().ReplaceAllString(s, "\n"), "\n") {
		part = openingBy().ReplaceAllString(part, "")
		part = strings.Trim(nameEnd().ReplaceAllString(part, ""), " .,;:-–—\"'*")
		if isName(part) && !isSite(part, sites) && !slices.Contains(names, part) && len(names) < maxAuthors {
			names = append(names, part)
		}
	}
	return names
}

// noNames are words that stand where names are expected.
var noNames = text.Set("admin administrator author autor staff editor editors redaktion redaction redacción redação team webmaster " +
	"guest anonymous unknown null undefined none share comments read facebook twitter follow subscribe home")

// isName says whether a text may be the name of a person or a desk.
func isName(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > 5 || len([]rune(text)) < 2 || len(text) > 70 {
		return false
	}
	if len(words) == 1 && (noNames[strings.ToLower(text)] || len(text) < 3) {
		return false
	}
	upper := false
	for _, r := range text {
		if unicode.IsDigit(r) || strings.ContainsRune("@#<>{}=_$%!?", r) {
			return false
		}
		upper = upper || unicode.IsUpper(r) || unicode.IsLetter(r) && !unicode.IsLower(r)
	}
	return upper || len(words) == 1
}
