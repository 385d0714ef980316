package induce

import (
	"strings"

	"curlew/internal/curlew"
	"curlew/internal/read/blueprint"
	"curlew/internal/read/dom"
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
	there := blueprint.FieldRules{Rules: []blueprint.Rule{{Constant: new(string)}}}
	compiled, err := blueprint.Compile(&blueprint.Blueprint{
		Language: 1, Schema: curlew.SchemaCustom, Page: curlew.PageList, Tier: curlew.TierHTML,
		Records: &blueprint.Selector{CSS: holder}, Fields: map[string]blueprint.FieldRules{"there": there},
	})
	if err != nil || len(compiled.Apply(blueprint.PageInput{Document: doc}).Drafts) == 0 {
		return Broken
	}
	return NothingToday
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
