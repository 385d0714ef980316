package blueprint

import (
	"fmt"
	"strings"
)

// Words tell in a sentence what a rule takes, for people who do not know selectors.
func (r Rule) Words() string {
	text := r.finds()
	if r.From != "" {
		text += map[From]string{FromPage: ", anywhere on the page", FromHeading: ", in the nearest heading before the record",
			FromColumn: ", in the heading of its column", FromRow: ", in the first cell of its row"}[r.From]
	}
	if len(r.Do) > 0 {
		steps := make([]string, len(r.Do))
		for i, step := range r.Do {
			steps[i] = step.words()
		}
		text += "; then " + strings.Join(steps, ", ")
	}
	return text
}

// joined are the words for the rules that one joins.
func (r Rule) joined() string {
	parts := make([]string, len(r.Join))
	for i, part := range r.Join {
		parts[i] = part.Words()
	}
	return "together: " + strings.Join(parts, " + ")
}

func (r Rule) finds() string {
	if len(r.Join) > 0 {
		return r.joined()
	}
	what := "the text of "
	switch {
	case r.Constant != nil:
		what = fmt.Sprintf("always “%s”, from ", *r.Constant)
	case r.Attr != "":
		what = "the attribute " + r.Attr + " of "
	}
	which := ""
	if r.Last {
		which = "the last "
	}
	switch {
	case r.CSS != "":
		which += "“" + r.CSS + "”"
	case r.XPath != "":
		which += "“" + r.XPath + "” (XPath)"
	case len(r.Items) > 0 || r.JSON != "":
		return dataWords(r.Selector)
	case len(r.beside()) == 0:
		if r.Constant != nil && !r.selects() {
			return fmt.Sprintf("always “%s”", *r.Constant)
		}
		return what + "the record"
	}
	beside := r.beside()
	if which == "" {
		return beside[0]
	}
	return what + strings.Join(append([]string{which}, beside...), ", ")
}

// beside are the words for what a rule looks beside.
func (r Rule) beside() []string {
	var all []string
	for _, b := range []struct{ words, text string }{{"what stands with the label", r.Label}, {"the cell under", r.Column},
		{"right after", r.After}, {"right before", r.Before}} {
		if b.text != "" {
			all = append(all, b.words+" “"+b.text+"”")
		}
	}
	return all
}

func (r Rule) selects() bool {
	return r.CSS != "" || r.XPath != "" || r.Attr != "" || r.From != FromRecord
}

// dataWords tell where structured data are taken from.
func dataWords(s Selector) string {
	switch {
	case len(s.Items) > 0 && s.JSON != "":
		return "“" + s.JSON + "” of the items " + strings.Join(s.Items, ", ")
	case len(s.Items) > 0:
		return "the items " + shortList(s.Items)
	case s.In != "":
		return "“" + s.JSON + "” in the script data " + s.In
	}
	return "“" + s.JSON + "” in the data"
}

// shortList names a few of many.
func shortList(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
}

func (t Transform) words() string {
	text := strings.ReplaceAll(t.Op, "_", " ")
	if t.Text != "" {
		text += " “" + t.Text + "”"
	}
	if t.With != "" {
		text += " by “" + t.With + "”"
	}
	if t.N != 0 {
		text += fmt.Sprintf(" (%d)", t.N)
	}
	return text
}

// Words tell where the records of a page are.
func (s *Selector) Words() string {
	if s == nil {
		return "the whole page is one record"
	}
	where := "“" + s.CSS + "”"
	switch {
	case s.XPath != "":
		where = "“" + s.XPath + "” (XPath)"
	case len(s.Items) > 0 || s.JSON != "":
		return dataWords(*s)
	}
	switch s.Shape {
	case ShapeReaders:
		if s.CSS != "" || s.XPath != "" {
			return "the text in " + where
		}
		return "what Curlew’s own readers find, without selectors"
	case ShapeDated:
		if s.CSS == "" && s.XPath == "" {
			return "every dated entry of the page"
		}
		return "every dated entry in " + where
	case ShapeGroup:
		return "each " + where + " with what follows it"
	case ShapeBetween:
		return "what stands between " + where
	case ShapeLines:
		return "each line of text in " + where
	case ShapeParagraphs:
		return "each paragraph of text in " + where
	}
	return "each " + where
}

// Words tell which fields make the identity.
func (i *IdentityFields) Words() string {
	if i == nil {
		return "its address, else its key fields"
	}
	return identityInWords(i)
}

// Words tell how further pages are reached.
func (p *Pagination) Words() string {
	if p == nil || p.Kind == "none" {
		return "one page only"
	}
	text := map[string]string{"found": "further pages as the page itself leads to them", "next": "the link to the next page",
		"numbered": "numbered pages",
		"page":     "pages counted by a parameter", "offset": "records counted by a parameter", "cursor": "a cursor in each answer",
		"month": "month by month", "load_more": "a button that loads more"}[p.Kind]
	if text == "" {
		text = p.Kind
	}
	if p.Parameter != "" {
		text += " “" + p.Parameter + "”"
	}
	if p.Next != nil {
		text += ": " + p.Next.Words()
	}
	if p.Most > 0 {
		text += fmt.Sprintf(", at most %d", p.Most)
	}
	return text
}
