package quality

import (
	"bytes"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// recordFor is a record with the pages that it was read from, ready to be judged.
type judgedRecord struct {
	record curlew.Record
	schema curlew.Schema
	views  []*view
	scope  []block // the part of the first page that shows the record; empty when it is the whole page
	card   []block // where a record of the page's data has no such part: what is around its name
	node   string
}

func (x *judgedRecord) field(name string) curlew.Field {
	if f, ok := x.schema.Field(name); ok {
		return f
	}
	return curlew.Field{Name: name, Type: curlew.TypeText}
}

// locate finds where a value of the record stands: first in the part of the page
// that is about it, then elsewhere on the page, then in its structured data.
func (x *judgedRecord) locate(name string, value any) Grounding {
	f := x.field(name)
	found := Grounding{Field: name, Value: value, Seen: curlew.SeenNowhere}
	switch {
	case len(x.views) == 0:
		return found
	case f.Type == curlew.TypeBool, x.record.Schema == curlew.SchemaPage && (name == "figures" || name == "dates"),
		x.record.Provenance[name].Rule == curlew.RuleAddress, x.record.Schema == curlew.SchemaPage && x.views[0].document.IsJSON():
		found.Seen = curlew.SeenDerived // pages do not say "true", and write numbers and days in their own way
		return found
	case f.Type == curlew.TypeMap:
		return x.locateMap(found)
	}
	if b := x.views[0].shows(x.scope, f, value); b != nil {
		return found.at(x.views[0], b)
	}
	for _, v := range x.views {
		if b := v.shows(v.blocks, f, value); b != nil {
			return found.at(v, b)
		}
		if v.pageText.Seen(f, value, "") == curlew.SeenVisible || joined(v, f, value) ||
			x.record.Schema == curlew.SchemaPage && v.showsInOrder(said(value)) {
			found.Seen, found.Page = curlew.SeenVisible, v.address
			return found
		}
	}
	return x.unseen(found, f)
}

// locateMap looks for each text of a map; the worst found speaks for all, unless it is one of few.
func (x *judgedRecord) locateMap(found Grounding) Grounding {
	named := map[string]any{}
	switch all := found.Value.(type) {
	case map[string]any:
		named = all
	case map[string]string:
		for name, text := range all {
			named[name] = text
		}
	}
	found.Seen = curlew.SeenDerived
	nowhere := 0
	for i, name := range slices.Sorted(maps.Keys(named)) {
		one := x.unnamed(name, named[name])
		if one.Seen == curlew.SeenNowhere {
			one.Seen = x.pieced(said(named[name]))
		}
		if one.Seen == curlew.SeenNowhere { // one of many may come from where no text is shown
			if nowhere++; nowhere*3 <= len(named) {
				continue
			}
		}
		if i == 0 || worse(one.Seen, found.Seen) {
			found.Seen, found.Page, found.Node, found.Text = one.Seen, one.Page, one.Node, one.Text
		}
	}
	return found
}

// pieced looks for the text of a cell that is put together from several elements, or comes
// from an attribute: it is seen where its letters stand on the page whatever the gaps, or
// all of its words where the record stands, and embedded where the page carries it.
func (x *judgedRecord) pieced(text string) curlew.Seen {
	var scope strings.Builder
	for i := range x.scope {
		scope.WriteString(x.scope[i].text + " ")
	}
	for _, v := range x.views {
		if v.pageText.showsLetters(text) || scope.Len() > 0 && wordsWithin(text, scope.String()) {
			return curlew.SeenVisible
		}
	}
	if slices.ContainsFunc(x.views, func(v *view) bool { return v.has(text) }) {
		return curlew.SeenEmbedded
	}
	return curlew.SeenNowhere
}

// unnamed looks for a value under a name that no schema knows.
func (x *judgedRecord) unnamed(name string, value any) Grounding {
	plain := *x
	plain.schema = curlew.Schema{}
	if u, err := url.Parse(said(value)); err == nil && u.Host != "" {
		plain.schema.Fields = []curlew.Field{{Name: name, Type: curlew.TypeURL}}
	}
	return plain.locate(name, value)
}

// worse orders where a value was seen.
func worse(a, b curlew.Seen) bool {
	order := []curlew.Seen{curlew.SeenVisible, curlew.SeenDerived, curlew.SeenEmbedded, curlew.SeenNowhere}
	return slices.Index(order, a) > slices.Index(order, b)
}

func (f Grounding) at(v *view, b *block) Grounding {
	f.Seen, f.Page, f.Node, f.Text = curlew.SeenVisible, v.address, v.document.Path(b.node), text.OneLine(b.text, 120)
	return f
}

// unseen looks for a value that readers do not find in so many words: in data for
// machines, or as what follows from a text that is there.
func (x *judgedRecord) unseen(found Grounding, f curlew.Field) Grounding {
	evidence := x.record.Provenance[found.Field]
	for _, v := range x.views {
		if f.Type != curlew.TypeBool && f.Type != curlew.TypeChoice && v.carries(x.record, f, found.Value) {
			found.Seen, found.Page, found.Text = curlew.SeenEmbedded, v.address, text.OneLine(evidence.Text, 120)
			return found
		}
		if x.follows(v, f, found.Value, evidence) || f.Type.Dated() && x.assembled(v, said(found.Value)) {
			found.Seen, found.Page, found.Text = curlew.SeenDerived, v.address, text.OneLine(evidence.Text, 120)
			return found
		}
	}
	loose := f.Type == curlew.TypeChoice || slices.Contains(derived, found.Field) || found.Field == "position"
	switch {
	case loose && (evidence.Text == "" || evidence.Text == said(found.Value)):
		found.Seen = curlew.SeenDerived // made from other values or given; there is nothing to look for
	case found.Field == "currency" && x.shownCurrency() == said(found.Value):
		found.Seen = curlew.SeenDerived
	}
	return found
}

// assembled says whether a moment can be put together from pieces of the page.
func (x *judgedRecord) assembled(v *view, value string) bool {
	if len(x.scope) == 0 || v != x.views[0] {
		return v.pieces().make(v.pieces(), value)
	}
	return piecesOf(x.scope, v.options).make(v.pieces(), value)
}

// follows says whether a value can come from the text that it is said to come
// from, and the page has that text. Names must keep their words.
func (x *judgedRecord) follows(v *view, f curlew.Field, value any, evidence curlew.Evidence) bool {
	text := strings.TrimSpace(evidence.Text)
	if text == "" || !v.has(text) {
		return false
	}
	switch f.Type {
	case curlew.TypeText, curlew.TypeLong, curlew.TypeList:
		return slices.Contains(derived, f.Name) || wordsWithin(said(value), text)
	case curlew.TypeURL, curlew.TypeMap:
		return true
	case curlew.TypeTime, curlew.TypeDate, curlew.TypeMoney, curlew.TypeNumber, curlew.TypeInteger:
		return strings.ContainsFunc(text, unicode.IsDigit) || f.Type.Dated() || f.Type == curlew.TypeMoney && padded(text) != " "
	}
	return true
}

// has says whether a page has a text anywhere, shown or not.
func (v *view) has(text string) bool {
	v.readData()
	if bytes.Contains(v.raw, []byte(text)) {
		return true
	}
	folded := padded(text)
	return folded != " " && (v.pageText.ShowsText(text) || holdsMostOf(v.data, folded))
}

// wordsWithin says whether at least half of the words of a value stand in a text.
func wordsWithin(value, text string) bool {
	words, all := strings.Fields(padded(value)), padded(text)
	n := 0
	for _, word := range words {
		if strings.Contains(all, " "+word+" ") {
			n++
		}
	}
	return len(words) > 0 && 2*n >= len(words) || strings.Contains(compact(all), compact(padded(value))) && compact(padded(value)) != ""
}

// showsInOrder says whether the words of a text stand on the page in this order, whatever is left out between them.
func (v *view) showsInOrder(text string) bool {
	words := strings.Fields(padded(text))
	for i := range v.blocks {
		for word := range strings.FieldsSeq(v.blocks[i].words) {
			if len(words) > 0 && words[0] == word {
				words = words[1:]
			}
		}
	}
	return len(words) == 0
}

// joined says whether a text is put together from pieces that the page shows, as
// addresses are, or is a code that the page writes with gaps.
func joined(v *view, f curlew.Field, value any) bool {
	if f.Type == curlew.TypeList {
		return len(texts(value)) > 0 && !slices.ContainsFunc(texts(value), func(one string) bool { return !v.pageText.ShowsText(one) })
	}
	if f.Type != curlew.TypeText {
		return false
	}
	text := said(value)
	pieces := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;\n|–", r) })
	if len(pieces) > 1 && len(pieces) < 12 {
		return !slices.ContainsFunc(pieces, func(p string) bool { return !v.pageText.ShowsText(p) })
	}
	if code := compact(padded(text)); len(code) >= shortestCode && strings.IndexFunc(code, unicode.IsDigit) >= 0 {
		for i := range v.blocks {
			if strings.Contains(compact(v.blocks[i].words), code) {
				return true
			}
		}
	}
	return false
}

// shortestCode is the length from which digits and letters without gaps are not
// met by chance.
const shortestCode = 7

func compact(words string) string { return strings.ReplaceAll(words, " ", "") }
