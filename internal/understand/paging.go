package understand

import (
	"encoding/json"
	"net/url"
	"strings"

	"curlew/internal/blueprint"
)

// recognise turns an open list into a blueprint with a request and paging.
func (f *Finding) recognise(body []byte) {
	b := blueprintOf(body, f.Probe.URL)
	if b == nil {
		return
	}
	if f.Probe.Method != "GET" || f.Probe.Body != "" {
		b.Request = &blueprint.Request{Method: f.Probe.Method, URL: f.Probe.URL, Headers: f.Probe.Headers}
		if f.Probe.Body != "" {
			b.Request.Body = json.RawMessage(f.Probe.Body)
		}
	}
	b.Pagination = pagingOf(body, f.Probe, f.Entities)
	f.Schema, f.Blueprint = b.Schema, b
	if b.Records != nil {
		f.Records = b.Records.JSON
	}
}

// nextKeys are where answers keep the address of their next page.
var nextKeys = [][]string{{"next_rest_url"}, {"next_page_url"}, {"next"}, {"nextPage"}, {"links", "next", "href"}, {"links", "next"}, {"_links", "next", "href"}, {"paging", "next"},
	{"pagination", "next"}, {"pagination", "next_url"}, {"meta", "next"}, {"info", "next"}, {"page", "next"}}

// cursorKeys are where answers keep a cursor, and totals where they count.
var (
	cursorKeys = [][]string{{"cursor"}, {"next_cursor"}, {"nextCursor"}, {"nextPageToken"}, {"next_page_token"}, {"meta", "next_cursor"}, {"meta", "cursor"}, {"pagination", "cursor"},
		{"pagination", "next_cursor"}, {"response_metadata", "next_cursor"}, {"continuation"}}
	totalKeys = [][]string{{"total_pages"}, {"totalPages"}, {"pages"}, {"page", "total"}, {"pagination", "total_pages"}, {"meta", "last_page"}, {"last_page"}, {"meta", "pagination", "total_pages"},
		{"pagination", "pages"}}
	countKeys = [][]string{{"total"}, {"count"}, {"totalCount"}, {"total_count"}, {"meta", "total"}, {"pagination", "total"}, {"totalResults"}, {"found"}, {"nbHits"}}
)

// pagingOf tells how an answer goes on.
func pagingOf(body []byte, p Probe, records int) *blueprint.Pagination {
	value, ok := decode(body)
	if !ok {
		return nil
	}
	if p.Kind == EndpointGraphQL {
		return graphPaging(value, p, records)
	}
	u, err := url.Parse(p.URL)
	if err != nil {
		return nil
	}
	if path, next := firstText(value, nextKeys); strings.HasPrefix(next, "http") || strings.HasPrefix(next, "/") {
		return &blueprint.Pagination{Kind: "cursor", Cursor: path, Size: records}
	}
	if path, cursor := firstText(value, cursorKeys); cursor != "" {
		name := path[strings.LastIndexByte(path, '.')+1:]
		name = map[string]string{"next_cursor": "cursor", "nextCursor": "cursor", "nextPageToken": "pageToken", "next_page_token": "page_token"}[name]
		if name == "" {
			name = "cursor"
		}
		return &blueprint.Pagination{Kind: "cursor", Parameter: name, Cursor: path, Size: records}
	}
	total, _ := firstText(value, totalKeys)
	for _, name := range []string{"page", "paged", "p"} {
		if u.Query().Has(name) || total != "" || pagedByCMS(p) {
			return &blueprint.Pagination{Kind: "page", Parameter: name, First: 1, Step: 1, Size: records, Total: total}
		}
	}
	count, _ := firstText(value, countKeys)
	for _, name := range []string{"offset", "skip", "start"} {
		if u.Query().Has(name) {
			return &blueprint.Pagination{Kind: "offset", Parameter: name, Step: records, Size: records, Total: count}
		}
	}
	return nil
}

// pagedByCMS says whether the documentation of a CMS promises ?page=N.
func pagedByCMS(p Probe) bool {
	switch p.CMS {
	case "WordPress", "The Events Calendar", "WooCommerce", "Shopify", "Localist", "Modern Events Calendar":
		return true
	}
	return strings.Contains(p.URL, "/wp-json/")
}

// firstText is the first of the paths that holds a text or a number.
func firstText(value any, paths [][]string) (string, string) {
	for _, keys := range paths {
		if s := text(member(value, keys...)); s != "" {
			return "$." + strings.Join(keys, "."), s
		}
	}
	return "", ""
}

// graphPaging goes on by the variables of the request, whose names stand in the
// body: "variables.after" is a path into it.
func graphPaging(value any, p Probe, records int) *blueprint.Pagination {
	var request struct{ Variables map[string]any }
	if json.Unmarshal([]byte(p.Body), &request) != nil {
		return nil
	}
	data, _ := member(value, "data").(map[string]any)
	for _, field := range sortedKeys(data) {
		if text(member(data, field, "pageInfo", "endCursor")) == "" {
			continue
		}
		for _, name := range []string{"after", "cursor"} {
			if _, ok := request.Variables[name]; ok {
				return &blueprint.Pagination{Kind: "cursor", Parameter: "variables." + name, Cursor: "$.data." + field + ".pageInfo.endCursor", Size: records}
			}
		}
	}
	for _, name := range []string{"offset", "skip", "start"} {
		if _, ok := request.Variables[name]; ok {
			return &blueprint.Pagination{Kind: "offset", Parameter: "variables." + name, Step: records, Size: records}
		}
	}
	for _, name := range []string{"page", "currentPage", "pageNumber"} {
		if _, ok := request.Variables[name]; ok {
			return &blueprint.Pagination{Kind: "page", Parameter: "variables." + name, First: 1, Step: 1, Size: records}
		}
	}
	return nil
}
