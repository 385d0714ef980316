package induce

import (
	"cmp"
	"path"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
)

// Emptiness is why a page gives no records.
type Emptiness string

const (
	NothingToday Emptiness = "nothing_today" // the list is there, and empty
	Blocked      Emptiness = "blocked"       // the page blocks crawlers
	Broken       Emptiness = "broken"        // what held the records is gone
)

const shortPage = 800 // characters of visible text

// WhyEmpty tells a page that has nothing today from one that broke and from one that
// blocks crawlers.
func WhyEmpty(b *blueprint.Blueprint, doc *dom.Document) Emptiness {
	text := key(doc.VisibleText())
	if len(text) < shortPage && words().Of("refusal").In(text) {
		return Blocked
	}
	if b.Records == nil || b.Records.CSS == "" {
		return Broken
	}
	holder := holderOf(b.Records.CSS)
	if isDated(b) {
		holder = b.Records.CSS
	}
	if holder == "" {
		return Broken
	}
	if _, there := withText(doc, holder); !there {
		return Broken
	}
	if isDated(b) {
		return NothingToday
	}
	for _, css := range []string{holder + " > *", inNewMarkup(b.Records.CSS)} {
		if records, _ := withText(doc, css); records > 1 {
			return Broken // something is listed there: only in other markup
		}
	}
	return NothingToday
}

// inNewMarkup selects what may be the records of a list, whatever classes they have now:
// "ul.events > li" of "ul.events > li.card".
func inNewMarkup(css string) string {
	at := strings.LastIndexAny(css, " >") + 1
	tag := css[at:]
	if end := strings.IndexAny(tag, ".#[:"); end >= 0 {
		tag = tag[:end]
	}
	if tag == "tr" {
		tag = "tr > td:first-child" // a row of headings is none
	}
	return css[:at] + cmp.Or(tag, "*")
}

// withText counts the elements of a selector that have text, of the tag that most of them
// have, and says whether there are such elements at all.
func withText(doc *dom.Document, css string) (most int, there bool) {
	itself := blueprint.FieldRules{Rules: []blueprint.Rule{{}, {Constant: new(string)}}}
	compiled, err := blueprint.Compile(&blueprint.Blueprint{
		Language: 1, Schema: curlew.SchemaCustom, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: css}, Fields: map[string]blueprint.FieldRules{"text": itself},
	})
	if err != nil {
		return 0, false
	}
	drafts := compiled.Apply(blueprint.PageInput{Document: doc}).Drafts
	tags := map[string]int{}
	for _, d := range drafts {
		if len(d.Fields.Texts("text")) > 0 {
			tag, _, _ := strings.Cut(path.Base(d.Node), "[")
			tags[tag]++
			most = max(most, tags[tag])
		}
	}
	return most, len(drafts) > 0
}

// holderOf is the selector of what is around records: "ul.events" of "ul.events > li".
func holderOf(css string) string {
	if strings.Contains(css, ",") {
		return ""
	}
	at := strings.LastIndexAny(css, " >")
	if at < 0 {
		return ""
	}
	holder := strings.TrimRight(css[:at], " >")
	if !strings.ContainsAny(holder, ".#[") {
		return "" // every page has a body
	}
	return holder
}
