package structured

import (
	"iter"
	"maps"
	"slices"
)

// All yields every item of the graph once: the top-level ones in order, each
// followed by what hangs below it, properties in the order of their names.
func (g *Graph) All() iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		seen := map[*Item]bool{}
		for _, item := range g.Items {
			if !item.walk(seen, yield) {
				return
			}
		}
	}
}

// All yields the item and everything below it, each once.
func (i *Item) All() iter.Seq[*Item] {
	return func(yield func(*Item) bool) { i.walk(map[*Item]bool{}, yield) }
}

// walk goes through items without recursion: hostile graphs are deep.
func (i *Item) walk(seen map[*Item]bool, yield func(*Item) bool) bool {
	waiting := []*Item{i}
	for len(waiting) > 0 {
		item := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if item == nil || seen[item] {
			continue
		}
		seen[item] = true
		if !yield(item) {
			return false
		}
		names := item.Names()
		for k := len(names) - 1; k >= 0; k-- {
			values := item.Properties[names[k]]
			for v := len(values) - 1; v >= 0; v-- {
				waiting = append(waiting, values[v].Item)
			}
		}
	}
	return true
}

// Find gives the items, at any depth, that have one of the types.
func (g *Graph) Find(types ...string) []*Item {
	var found []*Item
	for item := range g.All() {
		if item.Is(types...) {
			found = append(found, item)
		}
	}
	return found
}

// Of gives the top-level items written in a syntax.
func (g *Graph) Of(syntax Syntax) []*Item {
	var found []*Item
	for _, item := range g.Items {
		if item.Syntax == syntax {
			found = append(found, item)
		}
	}
	return found
}

// Is says whether an item has one of the types.
func (i *Item) Is(types ...string) bool {
	return slices.ContainsFunc(types, func(name string) bool { return slices.Contains(i.Types, name) })
}

// Names are the names of an item's properties in order.
func (i *Item) Names() []string {
	return slices.Sorted(maps.Keys(i.Properties))
}

// First is the first value of a property; the zero Value when there is none.
func (i *Item) First(property string) Value {
	if i == nil || len(i.Properties[property]) == 0 {
		return Value{}
	}
	return i.Properties[property][0]
}

// Text is the first text of a property. An item stands for its name, else its
// url, else its id.
func (i *Item) Text(property string) string {
	if i == nil {
		return ""
	}
	for _, value := range i.Properties[property] {
		if text := value.String(); text != "" {
			return text
		}
	}
	return ""
}

// Texts are all texts of a property, as Text reads them.
func (i *Item) Texts(property string) []string {
	if i == nil {
		return nil
	}
	var all []string
	for _, value := range i.Properties[property] {
		if text := value.String(); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// Items are the items among the values of a property.
func (i *Item) Items(property string) []*Item {
	if i == nil {
		return nil
	}
	var all []*Item
	for _, value := range i.Properties[property] {
		if value.Item != nil {
			all = append(all, value.Item)
		}
	}
	return all
}

// String is the text of a value, or what names its item.
func (v Value) String() string {
	if v.Text != "" || v.Item == nil {
		return v.Text
	}
	for _, property := range []string{"name", "url"} {
		for _, value := range v.Item.Properties[property] {
			if value.Text != "" {
				return value.Text
			}
		}
	}
	return v.Item.ID
}
