package article

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/structured"
)

func hasType(item *structured.Item, types map[string]bool) bool {
	return slices.ContainsFunc(item.Types, func(t string) bool { return types[t] })
}

// itemText is the first value of a property that is text, or the name of the item
// that stands there.
func itemText(item *structured.Item, property string) string {
	for _, v := range item.Properties[property] {
		if t := strings.TrimSpace(v.Text); t != "" {
			return t
		}
		if v.Item != nil {
			for _, name := range []string{"name", "headline", "value"} {
				for _, inner := range v.Item.Properties[name] {
					if t := strings.TrimSpace(inner.Text); t != "" {
						return t
					}
				}
			}
		}
	}
	return ""
}

// identity is the address of the item that stands as a property.
func identity(item *structured.Item, property string) string {
	for _, v := range item.Properties[property] {
		if v.Item == nil {
			continue
		}
		if v.Item.ID != "" {
			return v.Item.ID
		}
		for _, name := range []string{"url", "contentUrl"} {
			for _, inner := range v.Item.Properties[name] {
				if inner.Text != "" {
					return inner.Text
				}
			}
		}
	}
	return ""
}

// said is a value of structured data and where it stands.
type said struct {
	text, rule, node string
}

// ask gives the values of the first properties that the describing items have.
func (p *page) ask(properties ...string) []said {
	var all []said
	for _, item := range p.about {
		for _, name := range properties {
			if t := itemText(item, name); t != "" {
				all = append(all, said{t, string(item.Syntax) + " " + name, item.Node})
			}
		}
	}
	return all
}
