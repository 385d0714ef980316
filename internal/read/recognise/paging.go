package recognise

import (
	"strings"

	"curlew/internal/read/blueprint"
)

// pagingOf reads what an API answer says about its further pages.
func pagingOf(value any) *blueprint.Pagination {
	found := map[string]pageHint{}
	collectHints(value, "$", nil, 0, found)
	total := firstHint(found, "total", "total count", "count total", "total items", "total results", "nb hits", "hits total value", "total hits", "total records", "object count", "found posts")
	if next := firstHint(found, "next url", "next", "next page url", "url next", "next link", "next href"); next.kind == kindURL || next.kind == kindPath && strings.ContainsAny(next.text, "/?") {
		return &blueprint.Pagination{Kind: "next", Next: &blueprint.Rule{Selector: blueprint.Selector{JSON: next.path}, From: blueprint.FromPage}, Total: total.path}
	}
	if cursor := firstHint(found, "end cursor", "next cursor", "cursor next", "cursor", "next page token", "continuation token", "page token next", "after"); cursor.text != "" {
		return &blueprint.Pagination{Kind: "cursor", Parameter: cursorParameter(cursor.path), Cursor: cursor.path, Total: total.path}
	}
	pages := firstHint(found, "total pages", "page count", "pages", "last page", "nb pages", "max num pages", "pages total")
	size := firstHint(found, "per page", "page size", "limit", "hits per page", "size", "items per page")
	if page := firstHint(found, "page", "current page", "page number", "page current"); page.kind == kindNumber && (pages.text != "" || total.text != "") {
		first := 1
		if page.text == "0" {
			first = 0
		}
		p := &blueprint.Pagination{Kind: "page", Parameter: "page", First: first, Step: 1, Size: atoi(size.text), Total: total.path}
		if p.Total == "" {
			p.Total = pages.path
		}
		return p
	}
	if offset := firstHint(found, "offset", "skip", "start index"); offset.kind == kindNumber && atoi(size.text) > 0 && total.text != "" {
		return &blueprint.Pagination{Kind: "offset", Parameter: lastKey(offset.path), Step: atoi(size.text), Size: atoi(size.text), Total: total.path}
	}
	return nil
}

type pageHint struct {
	path, text string
	kind       kind
}

func firstHint(found map[string]pageHint, names ...string) pageHint {
	for _, name := range names {
		if h, ok := found[name]; ok && h.text != "" {
			return h
		}
	}
	return pageHint{}
}

// wrappers are keys around paging that do not change what it says.
var wrappers = words(`pagination paging paginator page pageinfo page_info meta metadata links link data info response result results hits _links`)

// collectHints gathers the scalars near the root by their words, without entering lists.
func collectHints(value any, path string, keys []string, depth int, found map[string]pageHint) {
	o, ok := value.(map[string]any)
	if !ok || depth > 4 || len(found) > 500 {
		return
	}
	for _, key := range sortedKeys(o) {
		at := joinPath(path, key)
		k, text := kindOf(o[key])
		if k == kindNone {
			if _, object := o[key].(map[string]any); object {
				inner := keys
				if !wrappers[strings.ToLower(key)] {
					inner = append(keys[:len(keys):len(keys)], key)
				}
				collectHints(o[key], at, inner, depth+1, found)
			}
			continue
		}
		name := strings.Join(append(wordsOf(keys[max(0, len(keys)-1):]), tokens(key)...), " ")
		for _, n := range []string{name, strings.Join(tokens(key), " ")} {
			if _, taken := found[n]; !taken {
				found[n] = pageHint{at, text, k}
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
