package demo

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The site gallery is an Italian art space: a shell with a little content, everything
// else behind a GraphQL endpoint with introspection and cursors (graphql.go).
func galleryTale() tale {
	return tale{
		atFirst: 28, arrive: span{0, 2}, change: span{1, 2}, vanish: span{0, 1},
		create: newExhibition, over: passed, order: byStart,
		edit: edits(retold("it"), repriced, movedTo(venues("gallery")), rescheduled, renamed(" (prorogata)")),
	}
}

func newExhibition(d *dice, n int, today time.Time) thing {
	e := event{Key: "EX" + fmt.Sprint(210+n), DateOnly: true, Venue: pick(d, venues("gallery")),
		Performers: picks(d, names("gallery", "names"),
			d.between(1, 3)), Description: sentences(d, "it", 3),
		Starts: at(today, d.between(-20, 70), 0, 0, "Europe/Rome"), Priced: true, Currency: "EUR"}
	e.Ends = e.Starts.AddDate(0, 0, d.between(24, 90))
	e.Title = e.Performers[0] + ". " + pick(d, names("gallery", "art"))
	e.Title = thorny(e.Title, n, 7, 2)
	e.PriceMin = int64(pick(d, []int{0, 500, 800, 1200}))
	e.PriceMax = e.PriceMin
	e.Path = "/mostre/" + slug(e.Title) + "-" + strings.ToLower(e.Key)
	e.Image = "/media/" + strings.ToLower(e.Key) + ".png"
	return e
}

func galleryPaths() []path {
	return []path{
		home("/mostre"),
		{"GET /mostre", func(s scene, _ *http.Request) page {
			shown := of[event](s.things)
			return s.html("list", view{Heading: "Mostre", Path: "/mostre", Items: shown[:min(6, len(shown))], Data: galleryQuery})
		}},
		{"GET /mostre/{slug}", galleryDetail},
		{"GET /graphql", galleryGraph},
		{"POST /graphql", galleryGraph},
	}
}

func galleryDetail(s scene, r *http.Request) page {
	name := r.PathValue("slug")
	e, found := find[event](s.things, strings.ToUpper(name[strings.LastIndexByte(name, '-')+1:]))
	if !found || e.Path != r.URL.Path {
		return s.lost()
	}
	const query = `query Exhibition($id: ID!) { exhibition(id: $id) { id title startDate endDate description } }`
	return s.html("detail", view{Heading: e.Title, Path: e.Path, Item: e, Data: query})
}

// galleryQuery is what the page's script asks; it stands in the markup.
const galleryQuery = `query Exhibitions($first: Int, $after: String) { ` +
	`exhibitions(first: $first, after: $after) { totalCount edges { cursor node { ` +
	`id title startDate endDate url imageUrl room city artists ticket { amount currency } } } pageInfo { hasNextPage endCursor } } }`

// galleryTypes is the schema that introspection tells of.
var galleryTypes = []graphType{
	{"Query", []graphField{{"exhibitions", "ExhibitionConnection!", []graphArgument{{"first", "Int"}, {"after", "String"}}},
		{"exhibition", "Exhibition", []graphArgument{{"id", "ID!"}}}}},
	{"ExhibitionConnection", []graphField{{"totalCount", "Int!", nil}, {"edges", "[ExhibitionEdge!]!", nil}, {"nodes",
		"[Exhibition!]!", nil}, {"pageInfo", "PageInfo!", nil}}},
	{"ExhibitionEdge", []graphField{{"cursor", "String!", nil}, {"node", "Exhibition!", nil}}},
	{"PageInfo", []graphField{{"hasNextPage", "Boolean!", nil}, {"endCursor", "String", nil}}},
	{"Exhibition", []graphField{{"id", "ID!", nil}, {"title", "String!", nil}, {"startDate", "String!", nil}, {"endDate",
		"String!", nil}, {"url", "String!", nil}, {"imageUrl", "String", nil},
		{"room", "String", nil}, {"city", "String", nil}, {"artists", "[String!]!", nil}, {"description", "String", nil},
		{"ticket", "Money", nil}}},
	{"Money", []graphField{{"amount", "Float!", nil}, {"currency", "String!", nil}}},
}

func galleryGraph(s scene, r *http.Request) page {
	asked := struct {
		Query     string
		Variables map[string]any
	}{Query: r.URL.Query().Get("query")}
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 100_000)).Decode(&asked); err != nil {
			return graphRefusal("the body is not a GraphQL request")
		}
	}
	root := graphObject{"__typename": "Query", "__schema": graphSchema(galleryTypes),
		"exhibitions": func(arguments map[string]any) any { return galleryConnection(s, arguments) },
		"exhibition": func(arguments map[string]any) any {
			if e, found := find[event](s.things, fmt.Sprint(arguments["id"])); found {
				return galleryNode(s, e)
			}
			return nil
		}}
	data, err := graphAnswer(asked.Query, asked.Variables, root)
	if err != nil {
		return graphRefusal(err.Error())
	}
	return jsonPage(map[string]any{"data": data, "extensions": map[string]any{"requestId": s.Token("request", 16)}})
}

func graphRefusal(message string) page {
	p := jsonPage(map[string]any{"errors": []any{map[string]any{"message": message}}})
	p.status = http.StatusBadRequest
	return p
}

// galleryConnection cuts at most twenty exhibitions after a cursor.
func galleryConnection(s scene, arguments map[string]any) any {
	all := of[event](s.things)
	from, count := 0, 10
	if cursor, ok := arguments["after"].(string); ok {
		if text, err := base64.StdEncoding.DecodeString(cursor); err == nil {
			from, _ = strconv.Atoi(strings.TrimPrefix(string(text), "offset:"))
		}
	}
	if first, ok := arguments["first"].(float64); ok {
		count = int(first)
	}
	from = max(0, min(from, len(all)))
	cut := all[from:min(from+max(1, min(count, 20)), len(all))]
	edges, nodes, last := []any{}, []any{}, any(nil)
	for i, e := range cut {
		cursor := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "offset:%d", from+i+1))
		edges, nodes, last = append(edges, graphObject{"__typename": "ExhibitionEdge", "cursor": cursor, "node": galleryNode(s,
			e)}), append(nodes, galleryNode(s, e)), cursor
	}
	return graphObject{"__typename": "ExhibitionConnection", "totalCount": len(all), "edges": edges, "nodes": nodes,
		"pageInfo": graphObject{"__typename": "PageInfo", "hasNextPage": from+len(cut) < len(all), "endCursor": last}}
}

func galleryNode(s scene, e event) any {
	artists := []any{}
	for _, name := range e.Performers {
		artists = append(artists, name)
	}
	return graphObject{"__typename": "Exhibition", "id": e.Key, "title": e.Title, "startDate": instant(e.Starts, false),
		"endDate": instant(e.Ends, false), "url": s.base + e.Path, "imageUrl": s.base + e.Image,
		"room": e.Venue.Name, "city": e.Venue.City, "artists": artists, "description": e.Description,
		"ticket": graphObject{"__typename": "Money", "amount": float64(e.PriceMin) / 100, "currency": e.Currency}}
}
