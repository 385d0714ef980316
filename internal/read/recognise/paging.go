package recognise

import (
	"cmp"
	"strings"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// pagingOf reads what an API answer says about its further pages.
func pagingOf(value any) *blueprint.Pagination {
	found := map[string]pageHint{}
	collectHints(value, "$", nil, 0, found)
	total := firstHint(found, "total")
	if next := firstHint(found, "next"); next.kind() == kindURL || next.kind() == kindPath && strings.ContainsAny(next.text, "/?") {
		rule := blueprint.Rule{Selector: blueprint.Selector{JSON: next.path}, From: blueprint.FromPage}
		return &blueprint.Pagination{Kind: "next", Next: &rule, Total: total.path}
	}
	if cursor := firstHint(found, "cursor"); cursor.text != "" {
		return &blueprint.Pagination{Kind: "cursor", Parameter: cursorParameter(cursor.path), Cursor: cursor.path, Total: total.path}
	}
	pages := firstHint(found, "pages")
	size := atoi(firstHint(found, "size").text)
	if page := firstHint(found, "page"); page.kind() == kindNumber && (pages.text != "" || total.text != "") {
		first := 1
		if page.text == "0" {
			first = 0
		}
		all := cmp.Or(total.path, pages.path)
		return &blueprint.Pagination{Kind: "page", Parameter: "page", First: first, Step: 1, Size: size, Total: all}
	}
	if offset := firstHint(found, "offset"); offset.kind() == kindNumber && size > 0 && total.text != "" {
		return &blueprint.Pagination{Kind: "offset", Parameter: lastKey(offset.path), Step: size, Size: size, Total: total.path}
	}
	return nil
}

type pageHint struct {
	path, text string
	value      any
}

func (h pageHint) kind() kind { return kindOf(h.value, h.text) }

// firstHint is the best of what is named as a list of words says.
func firstHint(found map[string]pageHint, list string) pageHint {
	for _, name := range words().Of("paging " + list).Words {
		if h, ok := found[name]; ok && h.text != "" {
			return h
		}
	}
	return pageHint{}
}

// wrappers are keys around paging that do not change what it says.
var wrappers = wordlist.Named(words, "wrappers")

// collectHints gathers the scalars near the root by their words, without entering lists.
func collectHints(value any, path string, keys []string, depth int, found map[string]pageHint) {
	o, ok := value.(map[string]any)
	if !ok || depth > 4 || len(found) > 500 {
		return
	}
	for _, key := range sortedKeys(o) {
		at := joinPath(path, key)
		text := textOf(o[key])
		if text == "" {
			if _, object := o[key].(map[string]any); object {
				inner := keys
				if !wrappers().Has(strings.ToLower(key)) {
					inner = append(keys[:len(keys):len(keys)], key)
				}
				collectHints(o[key], at, inner, depth+1, found)
			}
			continue
		}
		name := strings.Join(append(wordsOf(keys[max(0, len(keys)-1):]), tokens(key)...), " ")
		for _, n := range []string{name, strings.Join(tokens(key), " ")} {
			if _, taken := found[n]; !taken {
				found[n] = pageHint{at, text, o[key]}
			}
		}
	}
}

func wordsOf(keys []string) []string {
	var all []string
	for _, key := range keys {
		all = append(all, tokens(key)...)
	}
	return all
}

func cursorParameter(path string) string {
	switch key := strings.ToLower(lastKey(path)); {
	case strings.Contains(key, "token"):
		return "page_token"
	case strings.Contains(key, "endcursor"), strings.Contains(key, "end_cursor"):
		return "after"
	}
	return "cursor"
}

func lastKey(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
