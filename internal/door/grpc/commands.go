package grpc

import (
	"slices"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/door/grpc/blueprintv1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

func toPage(p *blueprintv1.Page) app.PageInput {
	return app.PageInput{URL: p.GetUrl(), HTML: p.GetHtml()}
}

// toKnown leaves out values that say nothing.
func toKnown(all []*blueprintv1.Known) []app.KnownValues {
	known := make([]app.KnownValues, len(all))
	for i, k := range all {
		known[i] = app.KnownValues{}
		for field, texts := range k.GetFields() {
			if values := slices.DeleteFunc(slices.Clone(texts.GetValues()), func(v string) bool { return v == "" }); len(values) > 0 {
				known[i][field] = values
			}
		}
	}
	return known
}

func toRules(rules *structpb.Struct, id string) (app.RulesInput, error) {
	in := app.RulesInput{ID: curlew.BlueprintID(id)}
	if rules == nil {
		return in, nil
	}
	var err error
	if in.Rules, err = protojson.Marshal(rules); err != nil {
		return in, curlew.Problems{{Field: "blueprint", Sentence: "the blueprint cannot be read as JSON"}}
	}
	return in, nil
}

var pageTypes = map[blueprintv1.PageType]curlew.PageType{blueprintv1.PageType_PAGE_TYPE_UNSPECIFIED: "",
	blueprintv1.PageType_PAGE_TYPE_SINGLE: curlew.PageSingle, blueprintv1.PageType_PAGE_TYPE_LIST: curlew.PageList}

func toGenerate(r *blueprintv1.GenerateBlueprintRequest) (app.GenerateBlueprint, error) {
	c := app.GenerateBlueprint{Page: toPage(r.GetPage()), Schema: curlew.SchemaName(r.GetSchema()), Known: toKnown(r.GetKnown()),
		Instructions: r.GetInstructions(), Timezone: r.GetTimezone()}
	var ok bool
	if c.Type, ok = pageTypes[r.GetPageType()]; !ok {
		return c, curlew.Problems{{Field: "page_type", Sentence: "unknown page type: use PAGE_TYPE_SINGLE or PAGE_TYPE_LIST"}}
	}
	return c, nil
}

func toTest(r *blueprintv1.TestBlueprintRequest) (app.TestBlueprint, error) {
	rules, err := toRules(r.GetBlueprint(), r.GetBlueprintId())
	return app.TestBlueprint{Page: toPage(r.GetPage()), RulesInput: rules, Schema: curlew.SchemaName(r.GetSchema()), Timezone: r.GetTimezone(),
		Follow: int(r.GetFollow())}, err
}

func toRepair(r *blueprintv1.RepairBlueprintRequest) (app.RepairBlueprint, error) {
	rules, err := toRules(r.GetBlueprint(), r.GetBlueprintId())
	return app.RepairBlueprint{Page: toPage(r.GetPage()), RulesInput: rules, Known: toKnown(r.GetKnown()), Timezone: r.GetTimezone()}, err
}
