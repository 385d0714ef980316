package blueprint

import "testing"

func TestRulesAreToldInWords(t *testing.T) {
	always := "sold out"
	for want, r := range map[string]Rule{
		"the text of “h3 > a”":                                                   {Selector: Selector{CSS: "h3 > a"}},
		"the attribute href of the last “a”":                                     {Selector: Selector{CSS: "a"}, Attr: "href", Last: true},
		"the text of “h1”, anywhere on the page":                                 {Selector: Selector{CSS: "h1"}, From: FromPage},
		"what stands with the label “Price”; then number":                        {Label: "Price", Do: []Transform{{Op: "number"}}},
		"the cell under “Day”":                                                   {Column: "Day"},
		"right after “★”":                                                        {After: "★"},
		"the text of “b”, right before “each”":                                   {Selector: Selector{CSS: "b"}, Before: "each"},
		"the text of the record; then line (1)":                                  {Do: []Transform{{Op: "line", N: 1}}},
		"always “sold out”":                                                      {Constant: &always},
		"always “sold out”, from “i”":                                            {Selector: Selector{CSS: "i"}, Constant: &always},
		"“venue.name” in the data":                                               {Selector: Selector{JSON: "venue.name"}},
		"together: the cell under “Day” + the text of “h2”; then split “, ” (3)": {Join: []Rule{{Column: "Day"}, {Selector: Selector{CSS: "h2"}}}, Do: []Transform{{Op: "split", Text: ", ", N: 3}}},
	} {
		t.Run(want, func(t *testing.T) {
			if got := r.Words(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	for want, s := range map[string]*Selector{
		"the whole page is one record": nil, "each “li”": {CSS: "li"}, "every dated entry of the page": {Shape: ShapeDated}, "each “h3” with what follows it": {CSS: "h3", Shape: ShapeGroup},
		"the items A, B, C, D and 2 more": {Items: []string{"A", "B", "C", "D", "E", "F"}}, "“$.x[*]” in the script data __NEXT_DATA__": {JSON: "$.x[*]", In: "__NEXT_DATA__"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := s.Words(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTwoBlueprintsAreComparedPartByPart(t *testing.T) {
	a := &Blueprint{Schema: "product", Page: "list", Tier: "html", Records: &Selector{CSS: "li"}, Fields: map[string]FieldRules{"name": {Rules: []Rule{{Selector: Selector{CSS: "h3"}}}, Required: true}, "price": {Rules: []Rule{{Label: "Price"}}}}}
	b := &Blueprint{Schema: "product", Page: "list", Tier: "html", Records: &Selector{CSS: "li"}, Fields: map[string]FieldRules{"name": {Rules: []Rule{{Selector: Selector{CSS: "h3"}}}, Required: true}, "brand": {Rules: []Rule{{Selector: Selector{CSS: "i"}}, {Label: "Brand"}}}},
		Pagination: &Pagination{Kind: "found"}}
	differ := map[string]PartDiff{}
	for _, side := range Compare(a, b) {
		if side.Differs() {
			differ[side.Part] = side
		}
	}
	want := map[string]PartDiff{"field price": {"field price", "what stands with the label “Price”", ""}, "field brand": {"field brand", "", "the text of “i”; else what stands with the label “Brand”"},
		"further pages": {"further pages", "one page only", "further pages as the page itself leads to them"}}
	if len(differ) != len(want) {
		t.Errorf("they differ in %v", differ)
	}
	for part, side := range want {
		t.Run(part, func(t *testing.T) {
			if differ[part] != side {
				t.Errorf("%+v, want %+v", differ[part], side)
			}
		})
	}
}
