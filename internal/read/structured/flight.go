package structured

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// maxFlight bounds the values that a payload may unfold to.
const maxFlight = 500_000

// flight is the payload of React server components, as Next.js streams it in
// pieces: rows of "id:value" that refer to each other.
type flight struct {
	rows   map[string]*flightRow
	order  []string
	budget int
	depth  int
}

type flightRow struct {
	value    any
	open     bool // it is being resolved
	referred bool
}

// flightPieces joins the texts that self.__next_f.push([1,"…"]) is given.
func flightPieces(text string, out *strings.Builder) {
	const call = "__next_f"
	for {
		at := strings.Index(text, call)
		if at < 0 {
			return
		}
		text = text[at+len(call):]
		open := strings.Index(text[:min(len(text), 64)], ".push(")
		if open < 0 {
			continue
		}
		reader := literalReader{src: text, pos: open + len(".push("), script: true}
		value, err := reader.value()
		if err != nil {
			continue
		}
		text = text[reader.pos:]
		piece, ok := value.([]any)
		if !ok || len(piece) < 2 {
			continue
		}
		kind, _ := piece[0].(json.Number)
		words, _ := piece[1].(string)
		switch kind {
		case "1":
			out.WriteString(words)
		case "3":
			if binary, err := base64.StdEncoding.DecodeString(words); err == nil {
				out.Write(binary)
			}
		}
	}
}

// readFlight reads a payload into the rows that no other row refers to, with all
// references resolved.
func readFlight(payload string) map[string]any {
	f := &flight{rows: map[string]*flightRow{}, budget: maxFlight}
	for payload != "" {
		payload = f.row(payload)
	}
	resolved := map[string]any{}
	for _, id := range append([]string{"0"}, f.order...) { // the page itself is row 0
		if row := f.rows[id]; row != nil && !row.referred && resolved[id] == nil {
			resolved[id] = f.refer(id)
		}
	}
	for id, row := range f.rows {
		if row.referred || isEmpty(resolved[id]) {
			delete(resolved, id)
		}
	}
	return resolved
}

// row reads the first row of a payload and returns the rest.
func (f *flight) row(payload string) string {
	id, rest, ok := strings.Cut(payload, ":")
	if !ok || len(id) > 8 || strings.Trim(id, "0123456789abcdef") != "" {
		_, rest, _ := strings.Cut(payload, "\n") // not a row: go on behind it
		return rest
	}
	if rest != "" && strings.IndexByte("TAOobUSsLlGgMmV", rest[0]) >= 0 {
		if length, data, ok := strings.Cut(rest[1:min(len(rest), 12)], ","); ok {
			n, err := strconv.ParseUint(length, 16, 31)
			begin := 1 + len(length) + 1
			if err == nil && begin+len(data) <= len(rest) {
				end := min(len(rest), begin+int(n))
				if rest[0] == 'T' {
					f.keep(id, strings.ToValidUTF8(rest[begin:end], "\ufffd"))
				}
				return rest[end:]
			}
		}
	}
	line, rest, _ := strings.Cut(rest, "\n")
	if line != "" && line[0] == 'I' {
		f.keep(id, component(line[1:]))
	} else if line != "" && strings.IndexByte(`{["-0123456789tfn`, line[0]) >= 0 {
		reader := literalReader{src: line}
		if value, err := reader.whole(); err == nil {
			f.keep(id, value)
		}
	}
	return rest
}

func (f *flight) keep(id string, value any) {
	if f.rows[id] == nil {
		f.order = append(f.order, id)
	}
	f.rows[id] = &flightRow{value: value}
}

// component is the name of an imported component: I[module, chunks, name].
func component(line string) any {
	reader := literalReader{src: line}
	value, err := reader.whole()
	if parts, ok := value.([]any); ok && err == nil && len(parts) > 2 {
		if name, ok := parts[2].(string); ok && name != "" {
			return name
		}
	}
	if members, ok := value.(map[string]any); ok {
		return members["name"]
	}
	return "component"
}

// refer gives the resolved value of a row; null if it holds itself.
func (f *flight) refer(id string) any {
	row := f.rows[id]
	if row == nil || row.open {
		return nil
	}
	row.open = true
	value := f.resolve(row.value)
	row.open = false
	return value
}

func (f *flight) resolve(value any) any {
	if f.budget--; f.budget < 0 || f.depth >= maxDepth {
		return nil
	}
	f.depth++
	defer func() { f.depth-- }()
	switch value := value.(type) {
	case []any:
		items := make([]any, len(value))
		for i := range value {
			items[i] = f.resolve(value[i])
		}
		return items
	case map[string]any:
		members := make(map[string]any, len(value))
		for _, key := range sortedKeys(value) {
			members[key] = f.resolve(value[key])
		}
		return members
	case string:
		return f.text(value)
	}
	return value
}

// text resolves what a text beginning with $ stands for.
func (f *flight) text(text string) any {
	if len(text) < 2 || text[0] != '$' {
		return text
	}
	switch text[1] {
	case '$':
		return text[1:]
	case 'D':
		return text[2:]
	case 'n':
		if isNumber(text[2:]) {
			return json.Number(text[2:])
		}
		return text[2:]
	case 'u', 'N', 'I', '-', 'F', 'h', 'T', 'P', 'Y', 'Z', 'E':
		return nil // undefined, numbers that are none, functions, what stays on the server
	case 'S':
		return text[2:] // a symbol
	case 'L', '@', 'W', 'B', 'K', 'i':
		return f.path(text[2:])
	case 'Q':
		return mapOf(f.path(text[2:]))
	}
	return f.path(text[1:])
}

// path follows id:key:key… into another row.
func (f *flight) path(reference string) any {
	steps := strings.Split(reference, ":")
	row := f.rows[steps[0]]
	if f.budget--; row == nil || f.budget < 0 || f.depth >= maxDepth {
		return nil
	}
	f.depth++ // a path may lead through itself
	defer func() { f.depth-- }()
	if len(steps) == 1 {
		row.referred = row.referred || !row.open // what holds itself is still a beginning
		return f.refer(steps[0])
	}
	if row.open {
		return f.part(row.value, steps[1:])
	}
	row.open = true
	defer func() { row.open = false }()
	return f.part(row.value, steps[1:])
}

// part resolves a part of a row. The part may lie behind another reference.
func (f *flight) part(value any, steps []string) any {
	for _, step := range steps {
		if text, ok := value.(string); ok && strings.HasPrefix(text, "$") {
			value = f.text(text)
		}
		switch holder := value.(type) {
		case map[string]any:
			value = holder[step]
		case []any:
			n, err := strconv.Atoi(step)
			switch {
			case err == nil && n >= 0 && n < len(holder):
				value = holder[n]
			case step == "props" && len(holder) > 3: // of an element ["$", type, key, props]
				value = holder[3]
			default:
				return nil
			}
		default:
			return nil
		}
	}
	return f.resolve(value) // a circle ends at the greatest depth
}
