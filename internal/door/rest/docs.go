package rest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

var (
	//go:embed docs.html
	docsText string
	//go:embed docs.css
	docsStyle string
)

// chapter is one noun of the page for people.
type chapter struct {
	Name   string
	Routes []described
}

// described is a route as the page shows it.
type described struct {
	Route
	Full    string
	Params  []param
	Body    string // name of its schema
	Answer  string
	Example string
}

type param struct{ Name, Where, Kind, Doc string }

// schemaDoc is a schema as the page shows it.
type schemaDoc struct {
	Name, Doc string
	Enum      string
	Fields    []param
}

// docsPage writes the page for people and the policy under which a browser may show it.
func docsPage(title, version string) (page []byte, policy string) {
	if title == "" {
		title = "Curlew"
	}
	sum := sha256.Sum256([]byte(docsStyle))
	data := struct {
		Title, Version string
		Style          template.CSS
		Introduction   []string
		Chapters       []chapter
		Events         []EventName
		Schemas        []schemaDoc
	}{title, version, template.CSS(docsStyle), strings.Split(strings.NewReplacer("`", "", "**", "").Replace(introduction), "\n\n"),
		chapters(), eventNames, schemaDocs()}
	var out bytes.Buffer
	if err := template.Must(template.New("docs").Parse(docsText)).Execute(&out, data); err != nil {
		panic(fmt.Sprintf("api: the page cannot be written: %v", err)) // it is made of what is in code
	}
	return out.Bytes(), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func chapters() (all []chapter) {
	for _, r := range Routes() {
		at := slices.IndexFunc(all, func(c chapter) bool { return c.Name == r.Group })
		if at < 0 {
			all, at = append(all, chapter{Name: r.Group}), len(all)
		}
		all[at].Routes = append(all[at].Routes, describe(r))
	}
	return all
}

func describe(r Route) described {
	d := described{Route: r, Full: Prefix + r.Path, Answer: r.out.name}
	for _, f := range r.in.fields {
		if where := map[source]string{fromPath: "path", fromQuery: "query"}[f.from]; where != "" {
			d.Params = append(d.Params, param{f.name, where, kindWord(f), nouns.Docs[f.goName]})
		}
	}
	if body, ok := r.body(); ok {
		d.Body = body.name
	}
	if r.Example != nil {
		if text, err := json.MarshalIndent(r.Example, "", "  "); err == nil {
			d.Example = string(text)
		}
	}
	return d
}

func (s shape) word() string {
	switch {
	case s.prefix != "":
		return s.prefix + "_…"
	case len(s.enum) > 0:
		return words(s.enum)
	case s.format == "date-time":
		return "time"
	case s.format == "duration":
		return "duration"
	case s.kind == "array":
		return "list of " + cmp.Or(s.elem.name, s.elem.kind)
	case s.kind == "object":
		return cmp.Or(s.name, s.kind)
	}
	return cmp.Or(s.kind, "anything")
}

// kindWord says in words what a value looks like.
func kindWord(f field) string {
	s := f.shape
	word := s.word()
	if s.min != nil && s.max != nil && s.kind != "array" && s.kind != "string" {
		word += fmt.Sprintf(", %g to %g", *s.min, *s.max)
	}
	if f.fallback != "" {
		word += ", " + f.fallback + " when absent"
	}
	if f.required && f.from != fromPath {
		word += ", required"
	}
	return word
}

// schemaDocs lists the shapes that have names.
func schemaDocs() (all []schemaDoc) {
	seen := map[string]bool{}
	var visit func(s shape)
	visit = func(s shape) {
		if s.elem != nil {
			visit(*s.elem)
		}
		if s.name != "" && !seen[s.name] && (len(s.fields) > 0 && s.fields[0].from == fromBody || len(s.enum) > 0) {
			seen[s.name] = true
			doc := schemaDoc{Name: s.name, Doc: nouns.Docs[s.name], Enum: words(s.enum)}
			for _, f := range s.fields {
				doc.Fields = append(doc.Fields, param{Name: f.name, Kind: kindWord(f), Doc: nouns.Docs[f.goName]})
			}
			all = append(all, doc)
		}
		for _, f := range s.fields {
			visit(f.shape)
		}
	}
	for _, r := range Routes() {
		visit(r.in)
		visit(r.out)
	}
	slices.SortFunc(all, func(a, b schemaDoc) int { return strings.Compare(a.Name, b.Name) })
	return all
}
