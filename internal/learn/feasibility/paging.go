package feasibility

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/recognise"
)

// recognise turns an open list into a blueprint with a request and paging.
func (f *ProbeResult) recognise(body []byte) {
	value, ok := decode(body)
	if !ok {
		return
	}
	found := recognise.FromJSON(value, "")
	if len(found) == 0 || found[0].Blueprint == nil {
		return
	}
	best := found[0]
	b := *best.Blueprint
	b.URL = f.Probe.URL
	if f.Probe.Method != "GET" || f.Probe.Body != "" {
		b.Request = &blueprint.APIRequest{Method: f.Probe.Method, URL: f.Probe.URL, Headers: f.Probe.Headers}
		if f.Probe.Body != "" {
			b.Request.Body = json.RawMessage(f.Probe.Body)
		}
	}
	b.Pagination = pagingOf(value, f.Probe, best.Count, b.Pagination)
	if b.Pagination != nil {
		if b.Pagination.Total == "" {
			b.Pagination.Total = totalPath(value, best.Count)
		}
		f.Total = totalAt(value, b.Pagination.Total)
		b.URL = fromTheStart(b.URL, b.Pagination)
	}
	f.Schema, f.Blueprint, f.Records, f.Entities = best.Schema, &b, best.Path, max(best.Count, 1)
}

// totalPath finds a number near the root that says how many there are in all.
func totalPath(value any, records int) string {
	for _, keys := range []string{"total", "count", "totalCount", "total_count", "meta.total", "pagination.total", "totalResults"} {
		path := "$." + keys
		if totalAt(value, path) >= max(records, 1) {
			return path
		}
	}
	return ""
}

// fromTheStart is the address of the first page: scripts often carry that of the
// second.
func fromTheStart(address string, p *blueprint.Pagination) string {
	u, err := url.Parse(address)
	if err != nil || p.Kind != "page" && p.Kind != "offset" {
		return address
	}
	query := u.Query()
	if !query.Has(p.Parameter) {
		return address
	}
	query.Set(p.Parameter, strconv.Itoa(p.First))
	u.RawQuery = query.Encode()
	return u.String()
}

// totalAt reads the number that a simple path leads to.
func totalAt(value any, path string) int {
	n, err := strconv.Atoi(asText(member(value, strings.Split(strings.TrimPrefix(path, "$."), ".")...)))
	if err != nil || n < 0 || n > 100_000_000 {
		return 0
	}
	return n
}

// pagingOf tells how an answer goes on: what it says itself, else what the
// documentation of its CMS promises or its address shows.
func pagingOf(value any, p Probe, records int, said *blueprint.Pagination) *blueprint.Pagination {
	if p.Kind == EndpointGraphQL {
		return graphPaging(value, p, records, said)
	}
	if said != nil {
		return said
	}
	u, err := url.Parse(p.URL)
	if err != nil {
		return nil
	}
	query := u.Query()
	for _, name := range []string{"page", "paged"} {
		if query.Has(name) {
			return &blueprint.Pagination{Kind: "page", Parameter: name, First: 1, Step: 1, Size: records}
		}
	}
	for _, name := range []string{"offset", "skip", "start"} {
		if query.Has(name) && records > 0 {
			return &blueprint.Pagination{Kind: "offset", Parameter: name, Step: records, Size: records}
		}
	}
	if pagedByCMS(p) {
		return &blueprint.Pagination{Kind: "page", Parameter: "page", First: 1, Step: 1, Size: records}
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

// graphPaging goes on by the variables of the request, whose names stand in the
// body: "variables.after" is a path into it.
func graphPaging(value any, p Probe, records int, said *blueprint.Pagination) *blueprint.Pagination {
	var request struct{ Variables map[string]any }
	if json.Unmarshal([]byte(p.Body), &request) != nil {
		return nil
	}
	total := ""
	if said != nil {
		total = said.Total
	}
	data, _ := member(value, "data").(map[string]any)
	for _, field := range sortedKeys(data) {
		for _, name := range []string{"totalCount", "total", "count"} {
			if total == "" && asText(member(data, field, name)) != "" {
				total = "$.data" + step(field) + "." + name
			}
		}
		if _, ok := member(data, field, "pageInfo", "endCursor").(string); !ok {
			continue
		}
		for _, name := range []string{"after", "cursor"} {
			if _, ok := request.Variables[name]; ok {
				cursor := "$.data" + step(field) + ".pageInfo.endCursor"
				return &blueprint.Pagination{Kind: "cursor", Parameter: "variables." + name, Cursor: cursor, Size: records, Total: total}
			}
		}
	}
	for _, name := range []string{"offset", "skip", "start"} {
		if _, ok := request.Variables[name]; ok && records > 0 {
			return &blueprint.Pagination{Kind: "offset", Parameter: "variables." + name, Step: records, Size: records, Total: total}
		}
	}
	for _, name := range []string{"page", "currentPage", "pageNumber"} {
		if _, ok := request.Variables[name]; ok {
			return &blueprint.Pagination{Kind: "page", Parameter: "variables." + name, First: 1, Step: 1, Size: records, Total: total}
		}
	}
	return nil
}
