package grpc

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"curlew/internal/curlew"
	"curlew/internal/door/grpc/blueprintv1"
	"curlew/internal/read/blueprint"
)

// What a request may hold. URLs end where browsers end them.
const (
	mostURL          = 2083
	mostHTML         = 3 << 20
	mostKnown        = 100
	mostFields       = 50
	mostValues       = 20
	mostValue        = 10_000
	mostInstructions = 2000
	mostFollow       = 10
)

// nowhere is the address of a page that came without one; no such host can be.
const nowhere = "http://page.invalid/"

func checkURL(place, address string) error {
	target, err := url.Parse(address)
	switch {
	case len(address) > mostURL:
		return invalid{place, fmt.Sprintf("the address is longer than %d characters", mostURL)}
	case err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https":
		return invalid{place, "this is not an address: it must begin with http:// or https://"}
	}
	return nil
}

// checkPage reads a page; optional ones may be left out.
func checkPage(p *blueprintv1.Page, optional bool) (Page, error) {
	page := Page{URL: p.GetUrl(), HTML: p.GetHtml()}
	switch {
	case len(page.HTML) > mostHTML:
		return page, invalid{"/page/html", fmt.Sprintf("the page is larger than %d MiB", mostHTML>>20)}
	case page.HTML != "" && page.URL == "":
		page.URL = nowhere
	case page.URL == "" && optional:
		return page, nil
	case page.URL == "":
		return page, invalid{"/page", "there is no page: give its url or its html"}
	}
	return page, checkURL("/page/url", page.URL)
}

func checkSchema(name string) (curlew.SchemaName, error) {
	schema := curlew.SchemaName(name)
	if name == "" || schema == blueprint.SchemaCustom {
		return schema, nil
	}
	if _, err := curlew.SchemaByName(curlew.SchemaName(text(name, 100))); err != nil {
		return "", invalid{"/schema", curlew.AsFault(err).Sentence}
	}
	return schema, nil
}

func checkZone(name string) (*time.Location, error) {
	if name == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, invalid{"/timezone", fmt.Sprintf("nobody knows the time zone %q: write it as Europe/Warsaw", text(name, 100))}
	}
	return zone, nil
}

// checkKnown reads known values of a schema.
func checkKnown(all []*blueprintv1.Known, name curlew.SchemaName) ([]Known, error) {
	if len(all) > mostKnown {
		return nil, invalid{"/known", fmt.Sprintf("there are more than %d records", mostKnown)}
	}
	schema, own := curlew.SchemaByName(name)
	var known []Known
	for i, k := range all {
		place := fmt.Sprintf("/known/%d/fields", i)
		if len(k.GetFields()) > mostFields {
			return nil, invalid{place, fmt.Sprintf("there are more than %d fields", mostFields)}
		}
		fields := Known{}
		for _, field := range slices.Sorted(maps.Keys(k.GetFields())) {
			at := place + "/" + text(field, 100)
			if _, has := schema.Field(field); own == nil && !has {
				return nil, invalid{at, fmt.Sprintf("%s entries have no such field", name)}
			}
			values := k.GetFields()[field].GetValues()
			if len(values) > mostValues || slices.ContainsFunc(values, func(v string) bool { return len(v) > mostValue }) {
				return nil, invalid{at, fmt.Sprintf("a field has at most %d values of %d characters", mostValues, mostValue)}
			}
			if values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" }); len(values) > 0 {
				fields[field] = values
			}
		}
		if len(fields) == 0 {
			return nil, invalid{place, "no value is known of this record: leave it out"}
		}
		known = append(known, fields)
	}
	return known, nil
}

// checkRules reads a blueprint, or the id of one.
func checkRules(rules *structpb.Struct, id string) (Rules, error) {
	switch {
	case rules != nil && id != "":
		return Rules{}, invalid{"/blueprint_id", "give a blueprint or the id of one, not both"}
	case id != "":
		return Rules{ID: curlew.BlueprintID(id)}, nil
	case rules == nil:
		return Rules{}, invalid{"/blueprint", "there is no blueprint: give one, or the id of one"}
	}
	raw, err := protojson.Marshal(rules)
	if err != nil {
		return Rules{}, invalid{"/blueprint", "the blueprint cannot be read as JSON"}
	}
	b, err := blueprint.Parse(raw)
	return Rules{Blueprint: b}, err
}

func checkInstructions(words string) error {
	if utf8.RuneCountInString(words) > mostInstructions {
		return invalid{"/instructions", fmt.Sprintf("the instructions are longer than %d characters", mostInstructions)}
	}
	return nil
}

var pageTypes = map[blueprintv1.PageType]curlew.PageType{blueprintv1.PageType_PAGE_TYPE_UNSPECIFIED: "",
	blueprintv1.PageType_PAGE_TYPE_SINGLE: curlew.PageSingle, blueprintv1.PageType_PAGE_TYPE_LIST: curlew.PageList}

func checkGenerate(r *blueprintv1.GenerateBlueprintRequest) (t GenerateTask, err error) {
	if t.Page, err = checkPage(r.GetPage(), false); err != nil {
		return t, err
	}
	if t.Schema, err = checkSchema(r.GetSchema()); err != nil {
		return t, err
	}
	var ok bool
	if t.Type, ok = pageTypes[r.GetPageType()]; !ok {
		return t, invalid{"/page_type", "there is no such type of page: use PAGE_TYPE_SINGLE or PAGE_TYPE_LIST"}
	}
	if t.Known, err = checkKnown(r.GetKnown(), t.Schema); err != nil {
		return t, err
	}
	switch {
	case len(t.Known) > 0 && t.Schema == "":
		return t, invalid{"/schema", "known values need a schema: name one, or custom"}
	case len(t.Known) == 0 && t.Schema == blueprint.SchemaCustom:
		return t, invalid{"/known", "the schema custom has no fields of its own: give known values"}
	}
	if t.Zone, err = checkZone(r.GetTimezone()); err != nil {
		return t, err
	}
	t.Instructions = r.GetInstructions()
	return t, checkInstructions(t.Instructions)
}

func checkTest(r *blueprintv1.TestBlueprintRequest) (t TestTask, err error) {
	if t.Rules, err = checkRules(r.GetBlueprint(), r.GetBlueprintId()); err != nil {
		return t, err
	}
	if t.Page, err = checkPage(r.GetPage(), t.Rules.ID != ""); err != nil {
		return t, err
	}
	if t.Schema, err = checkSchema(r.GetSchema()); err != nil {
		return t, err
	}
	if t.Zone, err = checkZone(r.GetTimezone()); err != nil {
		return t, err
	}
	if t.Follow = int(r.GetFollow()); t.Follow < 0 || t.Follow > mostFollow {
		return t, invalid{"/follow", fmt.Sprintf("0 to %d own pages can be read", mostFollow)}
	}
	return t, nil
}

func checkRepair(r *blueprintv1.RepairBlueprintRequest) (t RepairTask, err error) {
	if t.Rules, err = checkRules(r.GetBlueprint(), r.GetBlueprintId()); err != nil {
		return t, err
	}
	if t.Page, err = checkPage(r.GetPage(), t.Rules.ID != ""); err != nil {
		return t, err
	}
	var schema curlew.SchemaName // of a kept one the backend finds out
	if t.Rules.Blueprint != nil {
		schema = t.Rules.Blueprint.Schema
	}
	if t.Known, err = checkKnown(r.GetKnown(), schema); err != nil {
		return t, err
	}
	if len(t.Known) == 0 && t.Rules.ID == "" {
		return t, invalid{"/known", "without values from before nothing can be proved: give some, or the id of a blueprint that is watched"}
	}
	t.Zone, err = checkZone(r.GetTimezone())
	return t, err
}
