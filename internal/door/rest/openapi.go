package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// object is a piece of the document. Its keys are written in order.
type object = map[string]any

// describer makes JSON Schemas (2020-12) of shapes, and keeps those that have names.
type describer struct{ schemas object }

// schema describes a shape; what has a name is referred to.
func (d describer) schema(s shape) object {
	if s.name != "" && (s.kind == "object" && s.fields != nil || len(s.enum) > 0) {
		if _, known := d.schemas[s.name]; !known {
			d.schemas[s.name] = object{} // it may refer to itself
			plain := s
			plain.nullable = false
			d.schemas[s.name] = d.body(plain)
		}
		ref := object{"$ref": "#/components/schemas/" + s.name}
		if s.nullable {
			return object{"anyOf": []any{ref, object{"type": "null"}}}
		}
		return ref
	}
	return d.body(s)
}

func (d describer) body(s shape) object {
	out := object{}
	if s.kind != "" {
		out["type"] = s.kind
		if s.nullable {
			out["type"] = []any{s.kind, "null"}
		}
	}
	if doc := nouns.Docs[s.name]; doc != "" {
		out["description"] = doc
	}
	if len(s.enum) > 0 {
		out["enum"] = s.enum
	}
	s.describeFormat(out)
	switch s.kind {
	case "array":
		out["items"] = d.schema(*s.elem)
		limit(out, "maxItems", s.max)
	case "object":
		d.members(s, out)
	case "string":
		if s.maxLen > 0 {
			out["maxLength"] = s.maxLen
		}
		limit(out, "minLength", s.min)
	default:
		limit(out, "minimum", s.min)
		limit(out, "maximum", s.max)
	}
	return out
}

func (s shape) describeFormat(out object) {
	switch {
	case s.prefix != "":
		out["pattern"] = "^" + s.prefix + "_[0-9a-hjkmnp-tv-z]{24}$"
	case s.format == "duration":
		out["pattern"] = `^[0-9.hmsuµn]+$`
		out["examples"] = []any{"15m", "24h"}
	case s.format != "":
		out["format"] = s.format
	}
}

func limit(out object, name string, value *float64) {
	if value != nil {
		out[name] = *value
	}
}

// members describes the fields of an object.
func (d describer) members(s shape, out object) {
	if s.elem != nil {
		out["additionalProperties"] = true
		if s.elem.kind != "" {
			out["additionalProperties"] = d.schema(*s.elem)
		}
		return
	}
	properties, required := object{}, []any{}
	for _, f := range s.fields {
		member := d.schema(f.shape)
		if doc := nouns.Docs[f.goName]; doc != "" {
			member["description"] = doc
		}
		properties[f.name] = member
		if f.required {
			required = append(required, f.name)
		}
	}
	out["properties"] = properties
	if len(required) > 0 {
		out["required"] = required
	}
}

// operation describes a route.
func (d describer) operation(r Route) object {
	op := object{"operationId": r.Name, "summary": strings.TrimSuffix(r.Summary, "."), "tags": []any{r.Group},
		"description": fmt.Sprintf("%s\n\nNeeds the right %s.", r.Summary, r.Action)}
	params := []any{}
	for _, f := range r.in.fields {
		where := map[source]string{fromPath: "path", fromQuery: "query"}[f.from]
		if where == "" {
			continue
		}
		value := d.schema(f.shape)
		if f.fallback != "" {
			value["default"] = json.Number(f.fallback)
		}
		p := object{"name": f.name, "in": where, "required": f.required, "schema": value}
		if f.shape.kind == "array" {
			p["explode"] = false
		}
		if doc := nouns.Docs[f.goName]; doc != "" {
			p["description"] = doc
		}
		params = append(params, p)
	}
	if r.Method != http.MethodGet {
		params = append(params, object{"$ref": "#/components/parameters/IdempotencyKey"})
	}
	op["parameters"] = params
	if body, ok := r.body(); ok {
		media := object{"schema": d.schema(body)}
		if r.Example != nil {
			media["example"] = r.Example
		}
		op["requestBody"] = object{"required": body.demands(), "content": object{"application/json": media}}
	}
	op["responses"] = d.responses(r)
	return op
}

// body is the shape of a route's body.
func (r Route) body() (shape, bool) {
	for _, f := range r.in.fields {
		if f.from == wholeBody {
			return f.shape, true
		}
	}
	return shape{}, false
}

// demands says whether an empty object would not do.
func (s shape) demands() bool {
	return slices.ContainsFunc(s.fields, func(f field) bool { return f.required })
}

func (d describer) responses(r Route) object {
	good := object{"description": http.StatusText(r.Status)}
	if r.Status != http.StatusNoContent {
		good["content"] = object{"application/json": object{"schema": d.schema(r.out)}}
	}
	all := object{fmt.Sprint(r.Status): good}
	if r.Single {
		all["304"] = object{"description": "You have it already: the ETag is the same."}
		good["headers"] = object{"ETag": object{"schema": object{"type": "string"}}}
	}
	codes := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusServiceUnavailable}
	if strings.Contains(r.Path, "{") {
		codes = append(codes, http.StatusNotFound)
	}
	if r.Method != http.MethodGet {
		codes = append(codes, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
			http.StatusUnprocessableEntity)
	}
	for _, code := range codes {
		all[fmt.Sprint(code)] = object{"description": http.StatusText(code),
			"content": object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}
	}
	return all
}

const introduction = `Everything that Curlew knows and does, for programs.

Send an API key with each request: ` + "`Authorization: Bearer cur_…`" + `. A key belongs to one org and sees nothing else: what ` +
	`belongs to others is not found.

**Listings** return a page of at most ` + "`limit`" + ` and a ` + "`next_cursor`" + ` while more follow. **Failures** are ` +
	`problem+json (RFC 9457) with a stable ` + "`code`" + ` and a sentence. Requests that change something take an ` +
	`**Idempotency-Key**, which is remembered for a day: sent again, the first answer comes back. Each answer says by the ` +
	`**RateLimit** headers how much may still be asked.

**Live**: ` + "`GET /api/v1/stream`" + ` (server-sent events) and ` + "`GET /api/v1/ws`" + ` (WebSocket) tell of runs, pages and ` +
	`changes as they happen, from a cursor on.`

// openAPI writes the description of the API.
func openAPI(o Options) []byte {
	body, err := json.MarshalIndent(document(o), "", " ")
	if err != nil {
		panic(fmt.Sprintf("api: the description cannot be written: %v", err)) // it is made of what is in code
	}
	return append(body, '\n')
}

func document(o Options) object {
	d := describer{schemas: object{}}
	paths := object{}
	tags := []any{}
	seen := map[string]bool{}
	for _, r := range Routes() {
		path, ok := paths[Prefix+r.Path].(object)
		if !ok {
			path = object{}
			paths[Prefix+r.Path] = path
		}
		path[strings.ToLower(r.Method)] = d.operation(r)
		if !seen[r.Group] {
			seen[r.Group] = true
			tags = append(tags, object{"name": r.Group})
		}
	}
	d.live(paths)
	d.schema(shapeOf(reflect.TypeFor[Problem]()))
	return object{
		"openapi": "3.1.0", "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
		"info": object{"title": cmp.Or(o.Title, "Curlew"), "version": o.Version, "description": introduction,
			"license": object{"name": "MIT", "identifier": "MIT"}},
		"servers":  []any{object{"url": cmp.Or(o.Base, "/")}},
		"security": []any{object{"key": []any{}}},
		"tags":     append(tags, object{"name": "live"}),
		"paths":    paths,
		"components": object{
			"schemas": d.schemas,
			"securitySchemes": object{"key": object{"type": "http", "scheme": "bearer",
				"description": "An API key, made with \"curlew keys add\"."}},
			"parameters": object{"IdempotencyKey": object{"name": "Idempotency-Key", "in": "header", "required": false,
				"description": "Any text. A request that is repeated with the same key within a day is processed once.",
				"schema":      object{"type": "string", "minLength": 1, "maxLength": 200}}},
		},
	}
}

// live describes the two ways to look on.
func (d describer) live(paths object) {
	event := d.schema(shapeOf(reflect.TypeFor[Event]()))
	params := []any{}
	for _, f := range shapeOf(reflect.TypeFor[viewing]()).fields {
		params = append(params, object{"name": f.name, "in": "query", "required": false, "description": nouns.Docs[f.goName],
			"schema": d.schema(f.shape)})
	}
	schema := object{"$ref": "#/components/schemas/Problem"}
	problem := object{"description": "A problem", "content": object{"application/problem+json": object{"schema": schema}}}
	paths[Prefix+"/stream"] = object{"get": object{"operationId": "stream", "tags": []any{"live"},
		"summary": "Live events, by server-sent events",
		"description": "Each event has an id; send the last one as Last-Event-ID to continue where you were. Events may come twice, never not " +
			"at all.",
		"parameters": params, "responses": object{"default": problem,
			"200": object{"description": "A stream of events, each as below.", "content": object{"text/event-stream": object{"schema": event}}}}}}
	paths[Prefix+"/ws"] = object{"get": object{"operationId": "socket", "tags": []any{"live"}, "summary": "Live events, by WebSocket",
		"description": "Each message is an event as JSON. Connect with the id of the last one as cursor to continue where you were.",
		"parameters":  params, "responses": object{"default": problem, "101": object{"description": "A stream of messages, each an Event."}}}}
}
