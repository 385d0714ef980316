package rest

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Prefix is where the API lives.
const Prefix = "/api/v1"

// changing is what it takes to change something of a noun.
var changing = map[string]auth.Action{"candidates": auth.EditCandidates, "sources": auth.EditSources, "blueprints": auth.EditBlueprints,
	"kinds": auth.EditBlueprints, "words": auth.EditBlueprints,
	"watches": auth.EditWatches, "runs": auth.SteerRuns, "subscriptions": auth.EditSubscriptions,
	"deliveries": auth.ReplayDeliveries, "people": auth.EditPeople, "self": auth.OwnAccount, "keys": auth.EditKeys, "org": auth.EditOrg,
	"orgs": auth.EditOrg}

// Route is one operation. The mux, the OpenAPI document, the page for people and the
// test that orgs are isolated are all made of these.
type Route struct {
	Method  string
	Path    string // after Prefix, with {id}
	Name    string // operationId
	Summary string
	Group   string // the noun
	Action  auth.Action
	Status  int  // when all is well
	Single  bool // one resource, which gets an ETag
	Example any  // of the body

	in, out shape
	serve   func(ctx context.Context, c *Call) (any, error)
}

// Call is one request on its way to a handler.
type Call struct {
	App    *app.App
	Caller auth.Identity
	Read   store.Scope // the rows of the caller's org

	route   *Route
	request *http.Request
	body    []byte
}

// handler does the work of a route. What I holds is read from the path, the query and
// the body, and checked, before it is called.
type handler[I, O any] func(ctx context.Context, c *Call, in I) (O, error)

// nothing is the answer of a route that has none.
type nothing struct{}

// operation makes a route of a handler. The action follows from the method and the noun.
func operation[I, O any](method, path, name, summary string, do handler[I, O]) Route {
	r := Route{Method: method, Path: path, Name: name, Summary: summary, Status: http.StatusOK}
	r.Group, _, _ = strings.Cut(strings.TrimPrefix(path, "/"), "/")
	r.Action = changing[r.Group]
	if method == http.MethodGet {
		r.Action = auth.View
		r.Single = strings.HasSuffix(path, "}") || strings.HasSuffix(path, "/latest")
	}
	r.in, r.out = shapeOf(reflect.TypeFor[I]()), shapeOf(reflect.TypeFor[O]())
	if reflect.TypeFor[O]() == reflect.TypeFor[nothing]() {
		r.Status = http.StatusNoContent
	}
	r.serve = func(ctx context.Context, c *Call) (any, error) {
		var in I
		if err := c.bind(r.in, reflect.ValueOf(&in).Elem()); err != nil {
			return nil, err
		}
		return do(ctx, c, in)
	}
	return r
}

// named is the input of a route that names one thing.
type named[ID ~string] struct {
	ID ID `path:"id"`
}

// sent is the input of a route that takes a command as its body.
type sent[C any] struct {
	Body C `body:"json"`
}

// edited is the input of a route that takes a command about one thing.
type edited[ID ~string, C any] struct {
	named[ID]
	Body C `body:"json"`
}

// gets reads one row.
func gets[S any, ID ~string, O any](of func(store.Scope) S, get func(S, context.Context, ID) (O, error)) handler[named[ID], O] {
	return func(ctx context.Context, c *Call, in named[ID]) (O, error) { return get(of(c.Read), ctx, in.ID) }
}

// sends does a use case whose command is the body.
func sends[C, O any](do func(*app.App, context.Context, auth.Identity, C) (O, error)) handler[sent[C], O] {
	return func(ctx context.Context, c *Call, in sent[C]) (O, error) { return do(c.App, ctx, c.Caller, in.Body) }
}

// edits does a use case whose command is the body and the thing that the path names.
func edits[ID ~string, C, O any](do func(*app.App, context.Context, auth.Identity, C) (O, error)) handler[edited[ID, C], O] {
	return func(ctx context.Context, c *Call, in edited[ID, C]) (O, error) {
		reflect.ValueOf(&in.Body).Elem().FieldByName("ID").SetString(string(in.ID))
		return do(c.App, ctx, c.Caller, in.Body)
	}
}

// steers does a use case about one thing.
func steers[ID ~string, O any](do func(*app.App, context.Context, auth.Identity, ID) (O, error)) handler[named[ID], O] {
	return func(ctx context.Context, c *Call, in named[ID]) (O, error) { return do(c.App, ctx, c.Caller, in.ID) }
}

// removes does a use case after which there is nothing to show.
func removes[ID ~string](do func(*app.App, context.Context, auth.Identity, ID) error) handler[named[ID], nothing] {
	return func(ctx context.Context, c *Call, in named[ID]) (nothing, error) {
		return nothing{}, do(c.App, ctx, c.Caller, in.ID)
	}
}

// answers does a use case whose command is the body and after which there is nothing to show.
func answers[C any](do func(*app.App, context.Context, auth.Identity, C) error) handler[sent[C], nothing] {
	return func(ctx context.Context, c *Call, in sent[C]) (nothing, error) {
		return nothing{}, do(c.App, ctx, c.Caller, in.Body)
	}
}

// creates marks a route that makes something.
func (r Route) creates(example any) Route {
	r.Status, r.Example = http.StatusCreated, example
	return r
}

// like gives the body of a route an example.
func (r Route) like(example any) Route {
	r.Example = example
	return r
}

// needs names the right that a route needs where that does not follow from its noun.
func (r Route) needs(a auth.Action) Route {
	r.Action = a
	return r
}

// Params are the names in the path of a route with the prefixes of their ids.
func (r Route) Params() map[string]string {
	all := map[string]string{}
	for _, f := range r.in.fields {
		if f.from == fromPath {
			all[f.name] = f.shape.prefix
		}
	}
	return all
}

// Routes are all operations of the API.
func Routes() []Route {
	var all []Route
	for _, some := range [][]Route{candidateRoutes(), sourceRoutes(), blueprintRoutes(), kindRoutes(), wordRoutes(),
		watchRoutes(), runRoutes(),
		entityRoutes(), changeRoutes(), publicationRoutes(), subscriptionRoutes(), deliveryRoutes(), overviewRoutes(), orgRoutes(),
		peopleRoutes(), keyRoutes(), feedRoutes[curlew.SourceID]("source", "sources", "Source"),
		feedRoutes[curlew.WatchID]("watch", "watches", "Watch"),
		feedRoutes[curlew.SubscriptionID]("subscription", "subscriptions", "Subscription")} {
		all = append(all, some...)
	}
	return all
}

// List is one page of a listing.
type List[T any] struct {
	Data []T    `json:"data" nonnull:"true"`
	Next string `json:"next_cursor,omitempty"` // ask with it for what follows; absent at the end
}

// Window is a part of a listing.
type Window = store.Window

// paging is what every listing takes.
type paging struct {
	Cursor string `query:"cursor" maxlen:"600"` // next_cursor of the page before
	app.PageSize
}

// listed asks for one more than is wanted, to know whether more follow.
func listed[T any](c *Call, p paging, key func(T) string, ask func(Window) ([]T, error)) (List[T], error) {
	after, err := c.after(p.Cursor)
	if err != nil {
		return List[T]{}, err
	}
	all, err := ask(Window{After: after, Limit: p.Limit + 1})
	if err != nil {
		return List[T]{}, err
	}
	page := List[T]{Data: all}
	if len(all) > p.Limit {
		page.Data = all[:p.Limit]
		page.Next = c.cursor(key(page.Data[p.Limit-1]))
	}
	if page.Data == nil {
		page.Data = []T{}
	}
	return page, nil
}
