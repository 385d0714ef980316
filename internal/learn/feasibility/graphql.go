package feasibility

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// graphStep is how far a conversation with a GraphQL endpoint has come.
type graphStep string

const (
	graphAsk  graphStep = "introspect"
	graphRead graphStep = "read"
)

// introspection asks for no more than is needed to write a query: names, types and
// arguments. It stays under the depth limits that servers set.
const introspection = `query Introspection{__schema{queryType{name} types{kind name fields{name ` +
	`args{name type{kind name ofType{kind name}}} ` +
	`type{kind name ofType{kind name ofType{kind name ofType{kind name}}}}}}}}`

func introspect(address string) Probe {
	body, err := json.Marshal(map[string]string{"query": introspection})
	if err != nil {
		return Probe{}
	}
	return Probe{Method: "POST", URL: address, Kind: EndpointGraphQL, Body: string(body), Step: graphAsk,
		Headers: map[string]string{"Accept": "application/json", "Content-Type": "application/json"},
		Purpose: "what a GraphQL endpoint offers", Expect: "a schema"}
}

// graphType is a type as introspection tells it.
type graphType struct {
	Kind   string
	Name   string
	Fields []graphField
}

type graphField struct {
	Name string
	Type graphRef
	Args []graphArgument
}

type graphArgument struct {
	Name string
	Type graphRef
}

func (a graphArgument) required() bool { return a.Type.Kind == "NON_NULL" }

type graphRef struct {
	Kind   string
	Name   string
	OfType *graphRef
}

// core is the named type within, and whether a list wraps it.
func (r graphRef) core() (name, kind string, list bool) {
	for at := &r; at != nil; at = at.OfType {
		if at.Kind == "LIST" {
			list = true
		}
		name, kind = at.Name, at.Kind
	}
	return name, kind, list
}

// graphSchema is the part of a schema that can be read.
type graphSchema struct {
	query graphType
	types map[string]graphType
}

func parseSchema(body []byte) (graphSchema, bool) {
	var answer struct {
		Data struct {
			Schema struct {
				QueryType struct{ Name string }
				Types     []graphType
			} `json:"__schema"`
		}
	}
	if len(body) > 8<<20 || nesting(body) > 100 || json.Unmarshal(body, &answer) != nil {
		return graphSchema{}, false
	}
	s := graphSchema{types: map[string]graphType{}}
	for i, t := range answer.Data.Schema.Types {
		if i < 5000 {
			s.types[t.Name] = t
		}
	}
	query, ok := s.types[answer.Data.Schema.QueryType.Name]
	s.query = query
	return s, ok
}

// graphPlan is a query that reads a list.
type graphPlan struct {
	field string
	query string
	path  []string // from data to the list
	inner string   // "node" where edges wrap the objects
	args  map[string]string
	score int
}

// plan picks the list that looks most like entities and writes its query.
func (s graphSchema) plan() (graphPlan, bool) {
	var plans []graphPlan
	for i, f := range s.query.Fields {
		if i >= 500 || strings.HasPrefix(f.Name, "__") {
			continue
		}
		if p, ok := s.planField(f); ok {
			plans = append(plans, p)
		}
	}
	slices.SortStableFunc(plans, func(a, b graphPlan) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.field, b.field))
	})
	if len(plans) == 0 || plans[0].score < 3 {
		return graphPlan{}, false
	}
	return plans[0], true
}

func (s graphSchema) planField(f graphField) (graphPlan, bool) {
	args, declared, ok := pagingArguments(f)
	name, kind, list := f.Type.core()
	if !ok || kind != "OBJECT" && kind != "INTERFACE" && kind != "UNION" {
		return graphPlan{}, false
	}
	p := graphPlan{field: f.Name, path: []string{f.Name}, args: args}
	object, selection := s.types[name], ""
	if list {
		selection = s.selection(object, 0)
	} else if selection, object, ok = s.connection(&p, object); !ok {
		return graphPlan{}, false
	}
	if selection == "" {
		return graphPlan{}, false
	}
	p.score = worth(f.Name) + worthOf(object)
	p.query = "query Read" + declared.variables + " { " + f.Name + declared.passed + " " + selection + " }"
	return p, true
}

// connection reads a wrapped list: edges and nodes by Relay's rules, or a plain
// list in a field such as items.
func (s graphSchema) connection(p *graphPlan, wrapper graphType) (string, graphType, bool) {
	list, ok := wrapper.list()
	if !ok {
		return "", graphType{}, false
	}
	object := s.object(list)
	p.path = append(p.path, list.Name)
	if list.Name == "edges" {
		node, ok := object.field("node")
		if !ok {
			return "", graphType{}, false
		}
		object, p.inner = s.object(node), "node"
	}
	selection := s.selection(object, 0)
	if selection == "" {
		return "", graphType{}, false
	}
	if p.inner != "" {
		selection = "{ node " + selection + " }"
	}
	if _, paged := wrapper.field("pageInfo"); paged && p.args["after"] != "" {
		selection += " pageInfo { hasNextPage endCursor }"
	}
	if total, ok := wrapper.field("totalCount", "total", "count"); ok {
		selection += " " + total.Name
	}
	return "{ " + list.Name + " " + selection + " }", object, true
}

// object is the type of a field without what wraps it.
func (s graphSchema) object(f graphField) graphType {
	name, _, _ := f.Type.core()
	return s.types[name]
}

// field is the first field of a type that has one of the names.
func (t graphType) field(names ...string) (graphField, bool) {
	i := slices.IndexFunc(t.Fields, func(f graphField) bool { return slices.Contains(names, f.Name) })
	if i < 0 {
		return graphField{}, false
	}
	return t.Fields[i], true
}

// list is the field that holds the objects: nodes before edges before any other.
func (t graphType) list() (graphField, bool) {
	rank := map[string]int{"nodes": 3, "edges": 2}
	var best graphField
	most := 0
	for _, f := range t.Fields {
		_, kind, isList := f.Type.core()
		if n := max(1, rank[f.Name]); isList && kind == "OBJECT" && f.Name != "pageInfo" && n > most {
			best, most = f, n
		}
	}
	return best, most > 0
}

// declaration is how a query names its variables and passes them on.
type declaration struct{ variables, passed string }

// pagingRoles are the arguments that ask for a page, by what they say of it.
var pagingRoles = []struct {
	role   string
	number bool // whether it has to be one
	names  []string
}{
	{"size", true, []string{"first", "limit", "pageSize", "perPage", "take", "size"}},
	{"after", false, []string{"after", "cursor"}},
	{"offset", true, []string{"offset", "skip", "start"}},
	{"page", true, []string{"page", "currentPage", "pageNumber"}},
}

func pagingRole(argument, kind string) string {
	for _, r := range pagingRoles {
		if slices.Contains(r.names, argument) && (kind == "Int" || !r.number) {
			return r.role
		}
	}
	return ""
}

// pagingArguments are those that ask for a page; a field that wants others is left.
func pagingArguments(f graphField) (map[string]string, declaration, bool) {
	args := map[string]string{}
	var variables, passed []string
	for _, a := range f.Args {
		name, _, _ := a.Type.core()
		role := pagingRole(a.Name, name)
		if role == "" || args[role] != "" {
			if a.required() {
				return nil, declaration{}, false
			}
			continue
		}
		args[role] = a.Name
		if !graphName().MatchString(a.Name) || !graphName().MatchString(name) {
			return nil, declaration{}, false
		}
		if a.required() {
			name += "!"
		}
		variables = append(variables, "$"+a.Name+": "+name)
		passed = append(passed, a.Name+": $"+a.Name)
	}
	if !graphName().MatchString(f.Name) {
		return nil, declaration{}, false
	}
	if len(variables) == 0 {
		return args, declaration{}, true
	}
	return args, declaration{"(" + strings.Join(variables, ", ") + ")", "(" + strings.Join(passed, ", ") + ")"}, true
}

var graphName = text.Pattern(`^[A-Za-z_][A-Za-z0-9_]{0,80}$`)

// selection writes the fields of a type: plain values, and those of objects two
// levels down.
func (s graphSchema) selection(t graphType, depth int) string {
	var fields []string
	for _, f := range t.Fields {
		if len(fields) >= 40 || !graphName().MatchString(f.Name) || slices.ContainsFunc(f.Args, graphArgument.required) {
			continue
		}
		name, kind, list := f.Type.core()
		switch {
		case kind == "SCALAR" || kind == "ENUM":
			fields = append(fields, f.Name)
		case kind == "OBJECT" && depth < 2 && !(list && depth > 0):
			inner := s.selection(s.types[name], depth+1)
			if inner != "" && len(inner) < 1500 && !strings.HasSuffix(name, "Connection") {
				fields = append(fields, f.Name+" "+inner)
			}
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return "{ " + strings.Join(fields, " ") + " }"
}

func worth(name string) int {
	if subjects().MatchString(name) {
		return 3
	}
	return 0
}

// worthOf counts the fields that entities have.
func worthOf(t graphType) int {
	n := 0
	for _, f := range t.Fields {
		if endpointWords().Of("entity field").In(strings.ToLower(f.Name)) {
			n++
		}
	}
	return min(n, 8)
}

// probe is the request that reads the first page of a plan.
func (p graphPlan) probe(address string) Probe {
	variables := map[string]any{}
	if size := p.args["size"]; size != "" {
		variables[size] = 20
	}
	if after := p.args["after"]; after != "" {
		variables[after] = nil
	}
	if offset := p.args["offset"]; offset != "" {
		variables[offset] = 0
	}
	if page := p.args["page"]; page != "" {
		variables[page] = 1
	}
	body, err := json.Marshal(map[string]any{"query": p.query, "variables": variables})
	if err != nil {
		return Probe{}
	}
	return Probe{Method: "POST", URL: address, Kind: EndpointGraphQL, Body: string(body), Query: p.query, Step: graphRead,
		Headers: map[string]string{"Accept": "application/json", "Content-Type": "application/json"},
		Purpose: "the list “" + p.field + "”", Expect: "a list"}
}
