package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text"
)

// What a remote call may hold.
const (
	mostHTML   = 3 << 20
	mostFields = 50
	mostValues = 20
	mostValue  = 10_000
)

// PageInput is a page at an address, or the page itself.
type PageInput struct {
	URL  string `json:"url,omitempty"`
	HTML string `json:"html,omitempty"` // "" means that the address is asked
}

// placed gives a page that came without an address one that cannot be.
func (p PageInput) placed() PageInput {
	if p.HTML != "" && p.URL == "" {
		p.URL = "http://page.invalid/"
	}
	return p
}

func (p PageInput) check(all *curlew.Problems, optional bool) {
	switch {
	case len(p.HTML) > mostHTML:
		all.Add("page/html", fmt.Sprintf("the page is larger than %d MiB", mostHTML>>20))
	case p.URL == "" && p.HTML == "" && !optional:
		all.Add("page", "the page is missing: give its url or its html")
	case p.URL != "":
		for _, wrong := range (FetchPage{URL: p.URL}).Check() {
			all.Add("page/"+wrong.Field, wrong.Sentence)
		}
	}
}

// RulesInput is a blueprint, or names one that is kept.
type RulesInput struct {
	Rules json.RawMessage    `json:"blueprint,omitempty"`
	ID    curlew.BlueprintID `json:"blueprint_id,omitempty"`
}

func (r RulesInput) check(all *curlew.Problems) {
	switch {
	case r.Rules != nil && r.ID != "":
		all.Add("blueprint_id", "give a blueprint or the id of one, not both")
	case r.Rules == nil && r.ID == "":
		all.Add("blueprint", "the blueprint is missing: give one, or its id")
	case r.Rules != nil:
		checkRules(all, "blueprint", r.Rules)
	}
}

func checkRules(all *curlew.Problems, field string, rules json.RawMessage) {
	_, err := blueprint.Parse(rules)
	*all = append(*all, RulesProblems(field, err)...)
}

// RulesProblems says what an error of blueprint.Parse found wrong in a field, and where.
func RulesProblems(field string, err error) (all curlew.Problems) {
	defects := blueprint.Defects(err)
	for _, d := range defects {
		all.Add(field+d.Place, d.Sentence)
	}
	if err != nil && len(defects) == 0 {
		all.Add(field, curlew.AsFault(err).Sentence)
	}
	return all
}

// KnownValues are a record of which values are known, as texts by field.
type KnownValues map[string][]string

func checkKnown(all *curlew.Problems, known []KnownValues, name curlew.SchemaName) {
	schema, own := curlew.SchemaByName(name)
	for i, k := range known {
		at := fmt.Sprintf("known/%d/fields", i)
		switch {
		case len(k) > mostFields:
			all.Add(at, fmt.Sprintf("there are more than %d fields", mostFields))
			continue
		case len(k) == 0:
			all.Add(at, "no value is known of this record: leave it out")
		}
		for _, field := range slices.Sorted(maps.Keys(k)) {
			if _, has := schema.Field(field); own == nil && !has {
				all.Add(at+"/"+text.Clip(field, 100), fmt.Sprintf("%s entries have no such field", name))
			}
			if len(k[field]) > mostValues || slices.ContainsFunc(k[field], func(v string) bool { return utf8.RuneCountInString(v) > mostValue }) {
				all.Add(at+"/"+text.Clip(field, 100), fmt.Sprintf("a field has at most %d values of %d characters", mostValues, mostValue))
			}
		}
	}
}

// zoneOf is a time zone that was checked; nil when nobody said.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if name == "" || err != nil {
		return nil
	}
	return zone
}

func checkSchema(all *curlew.Problems, name curlew.SchemaName) {
	if name != "" && name != curlew.SchemaCustom {
		all.Add("schema", schemaProblem(name))
	}
}

// GenerateBlueprint learns how to read a page. Nothing is kept.
type GenerateBlueprint struct {
	Page         PageInput         `json:"page"`
	Schema       curlew.SchemaName `json:"schema,omitempty" maxlen:"100"` // "" finds out
	Type         curlew.PageType   `json:"page_type,omitempty"`           // "" takes either
	Known        []KnownValues     `json:"known,omitempty" max:"100"`
	Instructions string            `json:"instructions,omitempty" maxlen:"2000"`
	Timezone     string            `json:"timezone,omitempty" maxlen:"60"`
	kind         curlew.Schema     // that Schema names
}

// Check says what is wrong with the command.
func (c GenerateBlueprint) Check() curlew.Problems {
	all := bounds(c)
	c.Page.check(&all, false)
	checkSchema(&all, c.Schema)
	checkKnown(&all, c.Known, c.Schema)
	switch {
	case len(c.Known) > 0 && c.Schema == "":
		all.Add("schema", "known values need a schema: name one, or custom")
	case len(c.Known) == 0 && c.Schema == curlew.SchemaCustom:
		all.Add("known", "the schema custom defines no fields: give known values")
	}
	all.Add("timezone", ZoneProblem(c.Timezone))
	return all
}

// TestBlueprint reads a page by a blueprint. Nothing is kept.
type TestBlueprint struct {
	Page PageInput `json:"page"` // without an address and a text, the page that the kept blueprint is for
	RulesInput
	Schema   curlew.SchemaName `json:"schema,omitempty" maxlen:"100"` // that the blueprint must have; "" for any
	Timezone string            `json:"timezone,omitempty" maxlen:"60"`
	Follow   int               `json:"follow,omitempty" min:"0" max:"10"` // detail pages of records to read
}

// Check says what is wrong with the command.
func (c TestBlueprint) Check() curlew.Problems {
	all := bounds(c)
	c.RulesInput.check(&all)
	c.Page.check(&all, c.ID != "")
	checkSchema(&all, c.Schema)
	all.Add("timezone", ZoneProblem(c.Timezone))
	return all
}

// RepairBlueprint learns anew how to read a page. Nothing is kept.
type RepairBlueprint struct {
	Page PageInput `json:"page"`
	RulesInput
	Known    []KnownValues `json:"known,omitempty" max:"100"` // none: what the watch of a kept blueprint has seen
	Timezone string        `json:"timezone,omitempty" maxlen:"60"`
}

// Check says what is wrong with the command.
func (c RepairBlueprint) Check() curlew.Problems {
	all := bounds(c)
	c.RulesInput.check(&all)
	c.Page.check(&all, c.ID != "")
	var schema curlew.SchemaName // of a kept one it is found out later
	if b, err := blueprint.Parse(c.Rules); c.Rules != nil && err == nil {
		schema = b.Schema
	}
	checkKnown(&all, c.Known, schema)
	if len(c.Known) == 0 && c.ID == "" {
		all.Add("known", "without values from before nothing can be proved: give some, or the id of a blueprint that is watched")
	}
	all.Add("timezone", ZoneProblem(c.Timezone))
	return all
}
