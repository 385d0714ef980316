package demo

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

// nuxtCall writes state as Nuxt 2 does: an object literal inside a function
// whose parameters stand for the values that occur more than once.
func nuxtCall(data []any, build string) template.JS {
	counts := map[string]int{}
	countScalars(data, counts)
	names := map[string]string{}
	var parameters, arguments []string
	for _, literal := range slices.Sorted(maps.Keys(counts)) {
		if counts[literal] > 1 {
			name := parameterName(len(parameters))
			names[literal] = name
			parameters, arguments = append(parameters, name), append(arguments, literal)
		}
	}
	return template.JS(fmt.Sprintf(`window.__NUXT__=(function(%s){return {layout:"default",data:%s,fetch:{},error:null,`+
		`state:{build:%q},serverRendered:true,routePath:"\u002Fprogramm",config:{_app:{basePath:"\u002F",assetsPath:"\u002F_nuxt\u002F"}}`+
		`}}(%s));`,
		strings.Join(parameters, ","), literalOf(data, names), build, strings.Join(arguments, ",")))
}

// parameterName counts a, b, … z, aa, ab, … and steps over reserved words.
func parameterName(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if n < len(letters) {
		return letters[n : n+1]
	}
	name := letters[n/len(letters)-1:n/len(letters)] + letters[n%len(letters):n%len(letters)+1]
	if name == "do" || name == "if" || name == "in" {
		return name + "_"
	}
	return name
}

func countScalars(value any, counts map[string]int) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			countScalars(item, counts)
		}
	case map[string]any:
		for _, item := range value {
			countScalars(item, counts)
		}
	default:
		counts[scalar(value)]++
	}
}

// scalar is a literal that is safe inside a script element.
func scalar(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "null"
	}
	return strings.ReplaceAll(string(text), "/", `\u002F`)
}

func literalOf(value any, names map[string]string) string {
	var parts []string
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			parts = append(parts, literalOf(item, names))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			parts = append(parts, key+":"+literalOf(value[key], names))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	literal := scalar(value)
	if name, repeated := names[literal]; repeated {
		return name
	}
	return literal
}

// nuxtPayload writes state as Nuxt 3 does: one flat array in which objects and
// lists hold the positions of their values, equal values only once.
func nuxtPayload(state map[string]any) []any {
	p := payload{known: map[string]int{}}
	p.all = append(p.all, []any{"ShallowReactive", 1})
	p.add(state)
	return p.all
}

type payload struct {
	all   []any
	known map[string]int
}

func (p *payload) add(value any) int {
	at := len(p.all)
	switch value := value.(type) {
	case []any:
		places := make([]int, len(value))
		p.all = append(p.all, places)
		for i, item := range value {
			places[i] = p.add(item)
		}
	case map[string]any:
		places := map[string]int{}
		p.all = append(p.all, places)
		for _, key := range slices.Sorted(maps.Keys(value)) {
			places[key] = p.add(value[key])
		}
	default:
		literal := scalar(value)
		if seen, known := p.known[literal]; known {
			return seen
		}
		p.known[literal] = at
		p.all = append(p.all, value)
	}
	return at
}
