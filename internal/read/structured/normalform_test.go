package structured

import (
	"regexp"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// facts are what a snippet says, as lines of path and value in a form that is the
// same for all syntaxes: items hang below those that hold them, an additional type
// is a type, an item that has only a name is that name, and one that says nothing
// is left out.
func facts(text string, syntax Syntax) map[string]bool {
	all := map[string]bool{}
	g := ReadSyntax(dom.New([]byte("<!doctype html><body>"+text), "https://example.com/page"), syntax)
	for _, item := range roots(g) {
		for _, line := range normalLines(item, nil) {
			all[line] = true
		}
	}
	return all
}

// roots are the items that no other holds; of a circle, its first.
func roots(g *Graph) []*Item {
	below := map[*Item]map[*Item]bool{}
	for _, item := range g.Items {
		below[item] = map[*Item]bool{}
		item.walk(below[item], func(*Item) bool { return true })
	}
	var found []*Item
	for i, item := range g.Items {
		isHeld := func(k int, other *Item) bool {
			return other != item && below[other][item] && (!below[item][other] || k < i)
		}
		held := false
		for k, other := range g.Items {
			held = held || isHeld(k, other)
		}
		if !held {
			found = append(found, item)
		}
	}
	return found
}

func normalLines(item *Item, holders []*Item) []string {
	var lines []string
	for _, name := range item.Types {
		lines = append(lines, " a "+plainText(name))
	}
	if slices.Contains(holders, item) || len(holders) > 8 {
		return nil
	}
	holders = append(slices.Clone(holders), item)
	for _, name := range item.Names() {
		for _, value := range item.Properties[name] {
			switch {
			case name == "additionalType" && value.Item == nil:
				lines = append(lines, " a "+plainText(value.Text))
			case value.Item == nil:
				lines = append(lines, "/"+plainText(name)+" = "+plainText(value.Text))
			default:
				lines = append(lines, nestedLines(plainText(name), value, holders)...)
			}
		}
	}
	return lines
}

// nestedLines write an item that another holds. Its name stands for it, as in
// Value.String, so that an author is the same whether a text or a person, and
// so does its id.
func nestedLines(property string, value Value, holders []*Item) []string {
	var lines []string
	item := value.Item
	for _, name := range []string{item.First("name").Text, item.ID} {
		if name != "" && !strings.HasPrefix(name, "_:") {
			lines = append(lines, "/"+property+" = "+plainText(name))
		}
	}
	if len(item.Properties) == 0 || len(item.Properties) == 1 && item.First("name").Text != "" {
		return lines
	}
	for _, line := range normalLines(item, holders) {
		if !strings.HasPrefix(line, "/name = ") {
			lines = append(lines, "/"+property+line)
		}
	}
	return lines
}

var (
	spelling = strings.NewReplacer("https://schema.org/", "", "http://schema.org/", "", "https://example.com/", "", "mailto:", "", "tel:", "", "’", "'", "“", `"`, "”", `"`, "<br>", " ", "<br/>", " ")
	zeros    = regexp.MustCompile(`\b(\d+)\.(?:0+|(\d*[1-9])0+)\b`)
)

// plainText writes what means the same in one way: white space, the spellings of
// schema.org's address, relative addresses, numbers and the case of words.
func plainText(text string) string {
	text = strings.Join(strings.Fields(spelling.Replace(text)), " ")
	text = zeros.ReplaceAllStringFunc(text, func(number string) string {
		return strings.TrimRight(strings.TrimRight(number, "0"), ".")
	})
	if len(text) > 1 && !strings.Contains(text, " ") {
		text = strings.TrimPrefix(text, "/")
	}
	return strings.ToLower(text)
}
