package demo

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// query sends a GraphQL request to the gallery.
func query(t *testing.T, w *Web, text string, variables map[string]any, into any) int {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	must(t, err)
	answer := ask(t, w, "gallery", http.MethodPost, "/graphql", string(body), "Content-Type", "application/json")
	must(t, json.Unmarshal(answer.Body.Bytes(), into))
	return answer.Code
}

func TestGalleryPagesThroughCursors(t *testing.T) {
	w := New(Options{})
	truth := byID(truthOf(t, w, "gallery"))
	seen, after := 0, any(nil)
	for {
		var answer struct {
			Data struct {
				Exhibitions struct {
					Edges []struct {
						Node struct{ ID, Title, StartDate string }
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
		}
		query(t, w, galleryQuery, map[string]any{"first": 9, "after": after}, &answer)
		for _, edge := range answer.Data.Exhibitions.Edges {
			want := truth[edge.Node.ID].Fields
			if edge.Node.Title != want["title"] || edge.Node.StartDate != want["starts_at"] {
				t.Errorf("the endpoint says %+v, the truth is %v", edge.Node, want)
			}
			seen++
		}
		if !answer.Data.Exhibitions.PageInfo.HasNextPage {
			break
		}
		after = answer.Data.Exhibitions.PageInfo.EndCursor
	}
	if seen != len(truth) {
		t.Errorf("the endpoint gave %d of %d exhibitions", seen, len(truth))
	}
}

const introspection = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } types { ...FullType } directives { name locations } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name args { ...InputValue } type { ...TypeRef } isDeprecated } inputFields { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

func TestGalleryAnswersIntrospection(t *testing.T) {
	var answer struct {
		Data struct {
			Schema struct{ Types []struct{ Name string } } `json:"__schema"`
		}
	}
	status := query(t, New(Options{}), introspection, nil, &answer)
	var names []string
	for _, kind := range answer.Data.Schema.Types {
		names = append(names, kind.Name)
	}
	if status != http.StatusOK || !strings.Contains(strings.Join(names, " "), "Query ExhibitionConnection") {
		t.Errorf("introspection answers %d with the types %v", status, names)
	}
}

// Whatever is asked, parsing ends without a panic.
func FuzzParseGraph(f *testing.F) {
	f.Add(galleryQuery)
	f.Add(introspection)
	f.Add(`{ a: b(c: $d, e: "f\"", g: [1]) { ...H ... on I { j } } }`)
	f.Fuzz(func(t *testing.T, text string) {
		if document, err := parseGraph(text); err == nil && document.selections == nil && len(document.fragments) == 0 {
			t.Errorf("%q was read as nothing", text)
		}
	})
}

func TestGalleryRefusesWhatItCannotAnswer(t *testing.T) {
	cases := map[string]string{
		"":                                  "unexpected end",
		"{ exhibitions { nonsense } }":      "nonsense",
		"{ exhibitions }":                   "subfields",
		"{ exhibitions { edges {":           "does not end",
		"mutation { drop }":                 "mutations",
		"{ a(b: ":                           "do not end",
		"{ ...F } fragment F on Q { ...F }": "nested too deeply",
	}
	for text, says := range cases {
		t.Run(text, func(t *testing.T) {
			var answer struct{ Errors []struct{ Message string } }
			status := query(t, New(Options{}), text, nil, &answer)
			if status != http.StatusBadRequest || len(answer.Errors) != 1 || !strings.Contains(answer.Errors[0].Message, says) {
				t.Errorf("%q answers %d, %v", text, status, answer.Errors)
			}
		})
	}
}
