package extract

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/read/product"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
)

// leastFacts is how many fields of a kind a page must name for it to be about one such thing.
const leastFacts = 2

// plentyFacts is how many fields, each named once, tell of one thing whatever the page lists beside it.
const plentyFacts = 3

// fewestListed is how many records make a list, on the page of which facts are not those of one thing.
const fewestListed = 5

// fromFacts reads the thing of an org's own kind that a page is about: its main heading is what it is
// called, and its fields stand behind their names, each once. Where the page's data tell of it already, a page that
// shows a list has no facts.
func (x *Extractor) fromFacts(ctx context.Context, others []TierDrafts) []TierDrafts {
	kind := x.KindOf(x.Schema)
	named := slices.ContainsFunc(x.Document.Headings(), func(h dom.Heading) bool { return h.Level == 1 })
	if x.Schema == "" || x.Schema.BuiltIn() || !named {
		return nil
	}
	compiled, err := blueprint.Compile(byNames(kind))
	if err != nil {
		return nil
	}
	read := compiled.Apply(blueprint.PageInput{Document: x.Document, Now: x.Material.Now})
	if len(read.Drafts) != 1 || readsHeads(kind, read.Drafts[0]) {
		return nil
	}
	facts := x.settleFacts(kind, read.Drafts[0])
	if facts < leastFacts || (facts < plentyFacts || len(others) > 0) && x.listsThings(ctx, kind) {
		return nil
	}
	x.withPrice(kind, &read.Drafts[0])
	return []TierDrafts{{Schema: x.Schema, Tier: curlew.TierHTML, Drafts: read.Drafts, Main: 0, confidence: 0.8}}
}

// readsHeads says whether the value of a field is the name of another one: the heads of a table stand in a row.
func readsHeads(kind curlew.Schema, draft curlew.Draft) bool {
	for _, f := range kind.Fields {
		for _, other := range kind.Fields {
			for _, value := range draft.Fields.Texts(f.Name) {
				named := func(name string) bool {
					return text.Letters(text.Unaccented(name)) == text.Letters(text.Unaccented(value))
				}
				if other.Name != f.Name && slices.ContainsFunc(other.Names(), named) {
					return true
				}
			}
		}
	}
	return false
}

// listsThings says whether the page shows a list, and not the facts of one thing as entries.
func (x *Extractor) listsThings(ctx context.Context, kind curlew.Schema) bool {
	facts := map[string]bool{}
	for _, f := range kind.Fields {
		for _, name := range f.Names() {
			facts[text.Letters(name)] = true
		}
	}
	things := 0
	for _, d := range x.shownList(ctx, x.Schema) {
		said := text.Letters(d.Text)
		if !slices.ContainsFunc(slices.Collect(maps.Keys(facts)), func(label string) bool { return strings.HasPrefix(said, label) }) {
			things++
		}
	}
	return things >= fewestListed
}

// byNames reads the fields of a kind by their names on the page of one thing, all values of each.
func byNames(kind curlew.Schema) *blueprint.Blueprint {
	b := &blueprint.Blueprint{Language: 1, Schema: kind.Name, Own: kind.Own(), Page: curlew.PageSingle, Tier: curlew.TierHTML,
		Fields: map[string]blueprint.FieldRules{}}
	for _, f := range kind.Fields {
		rules := blueprint.FieldRules{Many: f.Name != kind.Title}
		for _, name := range f.Names() {
			if f.Name != kind.Title || labels.Of(name) != labels.Title { // "Name" stands before fields of forms
				rules.Rules = append(rules.Rules, blueprint.Rule{Label: strings.ReplaceAll(name, "_", " ")})
			}
		}
		if f.Name == kind.Title {
			rules.Rules = append(rules.Rules, blueprint.Rule{Selector: blueprint.Selector{CSS: "h1"}})
		}
		if f.Name != "currency" && f.Name != "slots" {
			b.Fields[f.Name] = rules
		}
	}
	return b
}

// settleFacts leaves each field its one value, or its list, and counts them. What has several is of
// several things.
func (x *Extractor) settleFacts(kind curlew.Schema, draft curlew.Draft) (facts int) {
	for _, f := range kind.Fields {
		all, many := draft.Fields[f.Name].([]string)
		entries := x.Document.EntriesAt(draft.Provenance[f.Name].Node)
		switch list := f.Type == curlew.TypeList; {
		case !many && !strings.HasPrefix(draft.Provenance[f.Name].Rule, "label:"): // the heading is no fact
			continue
		case !many:
		case list && len(entries) > 1:
			draft.Fields[f.Name] = entries
		case !list && len(all) == 1:
			draft.Fields[f.Name] = all[0]
		case !list && f.Type != curlew.TypeText && x.onlyOf(kind, f, &all) == 1:
			draft.Fields[f.Name] = all[0]
		case !list:
			delete(draft.Fields, f.Name)
			delete(draft.Provenance, f.Name)
			continue
		}
		facts++
	}
	return facts
}

// onlyOf keeps the values of a field that are of its type, and counts them: a heading of the same name has a text behind it.
func (x *Extractor) onlyOf(kind curlew.Schema, f curlew.Field, all *[]string) int {
	lang := x.Document.Language()
	*all = slices.DeleteFunc(slices.Clone(*all), func(value string) bool {
		draft := curlew.Draft{Schema: kind.Name, Own: kind.Own(), Fields: curlew.Values{f.Name: value}}
		record, _ := normalise.Record(draft, normalise.Context{Now: x.Material.Now, Lang: lang})
		return record.Fields[f.Name] == nil
	})
	return len(*all)
}

// withPrice completes a thing with what the page asks for it, where its kind has one amount and no
// name stands before that.
func (x *Extractor) withPrice(kind curlew.Schema, draft *curlew.Draft) {
	amount := kind.OfType(curlew.TypeMoney)
	if amount == "" || draft.Fields[amount] != nil {
		return
	}
	if r, is := product.Product(x.Document, x.graph(), nil); is && r.Draft.Fields["price"] != nil {
		draft.Fields[amount], draft.Provenance[amount] = r.Draft.Fields["price"], r.Draft.Provenance["price"]
		draft.Fields["currency"], draft.Provenance["currency"] = r.Draft.Fields["currency"], r.Draft.Provenance["currency"]
	}
}
