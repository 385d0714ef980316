package feeds

import (
	"bytes"
	"strings"

	ics "github.com/arran4/golang-ical"
)

const (
	longestLine      = 256 << 10 // bytes of one property; descriptions are cut here
	longestHeader    = 4 << 10   // bytes of a property's name and parameters
	deepestComponent = 20
	mostParts        = 500_000 // components and properties of one calendar
)

// component is a part of a calendar between BEGIN and END. It is read line by line
// and a bad line costs only itself, since half of the calendars on the web have one.
type component struct {
	name       string
	properties map[string][]property
	children   []*component
}

type property struct {
	name   string
	value  string // as written
	params map[string][]string
}

func (p property) param(name string) string {
	if values := p.params[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// text undoes the escapes of the format. Commas between values stay.
func (p property) text() string { return strings.TrimSpace(ics.FromText(p.value)) }

func (c *component) get(name string) property {
	if all := c.properties[name]; len(all) > 0 {
		return all[0]
	}
	return property{}
}

func (c *component) text(name string) string { return c.get(name).text() }

// parseComponents reads all that stands in a calendar below one root.
func parseComponents(body []byte) *component {
	root := &component{name: "ROOT", properties: map[string][]property{}}
	open := []*component{root}
	parts := 0
	unfold(body, func(line string) bool {
		p, ok := parseProperty(line)
		if !ok {
			return true
		}
		if parts++; parts > mostParts {
			return false
		}
		top := open[len(open)-1]
		switch p.name {
		case "BEGIN":
			if len(open) > deepestComponent {
				return false // no calendar nests like this
			}
			child := &component{name: strings.ToUpper(strings.TrimSpace(p.value)), properties: map[string][]property{}}
			top.children = append(top.children, child)
			open = append(open, child)
		case "END":
			open = closeComponent(open, strings.ToUpper(strings.TrimSpace(p.value)))
		default:
			top.properties[p.name] = append(top.properties[p.name], p)
		}
		return true
	})
	return root
}

// closeComponent forgives an END that is missing further in, and one too many.
func closeComponent(open []*component, name string) []*component {
	for i := len(open) - 1; i > 0 && i >= len(open)-8; i-- {
		if open[i].name == name {
			return open[:i]
		}
	}
	return open
}

// unfold gives the lines of a calendar, continuation lines joined, until told to stop.
func unfold(body []byte, give func(line string) bool) {
	var line []byte
	for len(body) > 0 {
		next, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		next = bytes.TrimRight(next, "\r")
		if len(next) > 0 && (next[0] == ' ' || next[0] == '\t') {
			if len(line) < longestLine {
				line = append(line, next[1:]...)
			}
			continue
		}
		if len(line) > 0 && !give(string(line)) {
			return
		}
		line = append(line[:0], next[:min(len(next), longestLine)]...)
	}
	if len(line) > 0 {
		give(string(line))
	}
}

// parseProperty lets the library read name and parameters, and takes the value as
// it stands: the library would allocate as much as the whole line per parameter.
func parseProperty(line string) (property, bool) {
	colon := headerEnd(line)
	if colon <= 0 || colon > longestHeader {
		return property{}, false
	}
	if !strings.Contains(line[:colon], ";") { // most lines, at a fraction of the cost
		return property{name: strings.ToUpper(strings.TrimSpace(line[:colon])), value: line[colon+1:]}, true
	}
	header, err := ics.ParseProperty(ics.ContentLine(line[:colon] + ":x"))
	if err != nil || header == nil {
		name, _, _ := strings.Cut(line[:colon], ";") // parameters in disorder
		return property{name: strings.ToUpper(strings.TrimSpace(name)), value: line[colon+1:]}, true
	}
	params := map[string][]string{}
	for name, values := range header.ICalParameters {
		params[strings.ToUpper(name)] = values
	}
	return property{name: strings.ToUpper(header.IANAToken), value: line[colon+1:], params: params}, true
}

// headerEnd finds the colon before the value: the first that is not quoted.
func headerEnd(line string) int {
	quoted := false
	for i := 0; i < len(line) && i <= longestHeader; i++ {
		switch line[i] {
		case '"':
			quoted = !quoted
		case ':':
			if !quoted {
				return i
			}
		}
	}
	return strings.IndexByte(line, ':')
}
