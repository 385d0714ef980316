package demo

import (
	"fmt"
	"strings"
)

// graphObject is an object of a GraphQL answer before fields are selected. A
// value may be a scalar, an object, a list, or a function of the arguments.
type graphObject map[string]any

// graphAnswer runs the first operation of a query against the root object.
// Queries only: there are no mutations in the sample web.
func graphAnswer(query string, variables map[string]any, root graphObject) (map[string]any, error) {
	document, err := parseGraph(query)
	if err != nil {
		return nil, err
	}
	run := graphRun{variables: variables, fragments: document.fragments, budget: new(int)}
	*run.budget = 50_000 // fields of an answer; the whole introspection takes 2,000
	answer := map[string]any{}
	return answer, run.into(answer, root, document.selections, 0)
}

type graphRun struct {
	variables map[string]any
	fragments map[string][]graphSelection
	budget    *int
}

// into adds the selected fields of an object to an answer.
func (g graphRun) into(answer map[string]any, from graphObject, selections []graphSelection, depth int) error {
	const deepest = 24 // the usual introspection query needs 13
	if depth > deepest {
		return fmt.Errorf("the query is nested too deeply")
	}
	for _, s := range selections {
		if *g.budget--; *g.budget < 0 {
			return fmt.Errorf("the query asks for too much")
		}
		inner := s.fields
		if s.spread != "" {
			inner = g.fragments[s.spread]
		}
		if s.name == "" {
			if err := g.into(answer, from, inner, depth+1); err != nil {
				return err
			}
			continue
		}
		value, known := from[s.name]
		if !known {
			return fmt.Errorf("cannot query field %q on type %q", s.name, from["__typename"])
		}
		if resolve, ok := value.(func(map[string]any) any); ok {
			value = resolve(g.arguments(s))
		}
		selected, err := g.selected(value, s, depth)
		if err != nil {
			return err
		}
		answer[s.alias] = selected
	}
	return nil
}

func (g graphRun) selected(value any, s graphSelection, depth int) (any, error) {
	switch value := value.(type) {
	case graphObject:
		if len(s.fields) == 0 {
			return nil, fmt.Errorf("field %q must have a selection of subfields", s.name)
		}
		answer := map[string]any{}
		return answer, g.into(answer, value, s.fields, depth+1)
	case []any:
		list := make([]any, 0, len(value))
		for _, item := range value {
			selected, err := g.selected(item, s, depth)
			if err != nil {
				return nil, err
			}
			list = append(list, selected)
		}
		return list, nil
	}
	return value, nil
}

func (g graphRun) arguments(s graphSelection) map[string]any {
	given := map[string]any{}
	for name, value := range s.arguments {
		if variable, ok := value.(graphVariable); ok {
			value = g.variables[string(variable)]
		}
		given[name] = value
	}
	return given
}

// graphType, graphField and graphArgument describe a schema for introspection.
type graphType struct {
	name   string
	fields []graphField
}

type graphField struct {
	name, kind string
	arguments  []graphArgument
}

type graphArgument struct{ name, kind string }

// graphSchema is the answer to introspection.
func graphSchema(types []graphType) graphObject {
	all := []any{}
	for _, scalar := range []string{"ID", "String", "Int", "Float", "Boolean"} {
		all = append(all, graphTypeObject("SCALAR", scalar, nil))
	}
	for _, t := range types {
		fields := []any{}
		for _, f := range t.fields {
			arguments := []any{}
			for _, a := range f.arguments {
				arguments = append(arguments, graphObject{"__typename": "__InputValue", "name": a.name, "description": nil,
					"type": graphTypeRef(a.kind), "defaultValue": nil, "isDeprecated": false, "deprecationReason": nil})
			}
			fields = append(fields, graphObject{"__typename": "__Field", "name": f.name, "description": nil, "args": arguments,
				"type": graphTypeRef(f.kind), "isDeprecated": false, "deprecationReason": nil})
		}
		all = append(all, graphTypeObject("OBJECT", t.name, fields))
	}
	return graphObject{"__typename": "__Schema", "description": nil, "queryType": graphTypeObject("OBJECT", "Query", nil),
		"mutationType": nil, "subscriptionType": nil, "types": all, "directives": []any{}}
}

func graphTypeObject(kind, name string, fields []any) graphObject {
	object := graphObject{"__typename": "__Type", "kind": kind, "name": name, "description": nil, "specifiedByURL": nil,
		"fields": nil, "inputFields": nil, "interfaces": nil, "enumValues": nil, "possibleTypes": nil, "ofType": nil}
	if fields != nil {
		object["fields"], object["interfaces"] = fields, []any{}
	}
	return object
}

// graphTypeRef reads a type as GraphQL writes it: "[Exhibition!]!".
func graphTypeRef(text string) graphObject {
	wrap := func(kind, inner string) graphObject {
		object := graphTypeObject(kind, "", nil)
		object["name"], object["ofType"] = nil, graphTypeRef(inner)
		return object
	}
	if inner, found := strings.CutSuffix(text, "!"); found {
		return wrap("NON_NULL", inner)
	}
	if strings.HasPrefix(text, "[") {
		return wrap("LIST", strings.Trim(text, "[]"))
	}
	switch text {
	case "ID", "String", "Int", "Float", "Boolean":
		return graphTypeObject("SCALAR", text, nil)
	}
	return graphTypeObject("OBJECT", text, nil)
}
