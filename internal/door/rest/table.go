package rest

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"strings"

	"curlew/internal/app"
	"curlew/internal/app/auth"
	"curlew/internal/curlew"
	"curlew/internal/data/store"
)

// Prefix is where the API lives.
const Prefix = "/api/v1"

// Action is what a route does to the org, which decides who may use it. The names are
// those of the accounts.
type Action string

// The actions.
const (
	View              Action = "view"
	EditCandidates    Action = "candidates.edit"
	EditSources       Action = "sources.edit"
	EditBlueprints    Action = "blueprints.edit"
	EditWatches       Action = "watches.edit"
	SteerRuns         Action = "runs.steer"
	EditSubscriptions Action = "subscriptions.edit"
	ReplayDeliveries  Action = "deliveries.replay"
	ViewPeople        Action = "people.view"
	EditPeople        Action = "people.edit"
	ViewKeys          Action = "keys.view"
	EditKeys          Action = "keys.edit"
	ViewAudit         Action = "audit.view"
	EditOrg           Action = "org.edit"
)

// allActions are all of them, from what most may do to what few may.
var allActions = []Action{View, EditCandidates, EditSources, EditBlueprints, EditWatches, SteerRuns, EditSubscriptions, ReplayDeliveries,
	ViewPeople, EditPeople, ViewKeys, EditKeys, ViewAudit, EditOrg}

// changing is what it takes to change something of a noun.
var changing = map[string]Action{"candidates": EditCandidates, "sources": EditSources, "blueprints": EditBlueprints, "watches": EditWatches,
	"runs": SteerRuns, "subscriptions": EditSubscriptions, "deliveries": ReplayDeliveries, "people": EditPeople, "keys": EditKeys, "org": EditOrg}

// Identity is who asks. There is no way to a row but through its org.
type Identity struct {
	Org     curlew.OrgID
	Who     string // for the records: "key:ci", "ada@example.org"
	Subject string // whose rate limit it is
	Account any    // who it is, as the accounts know them; for the house alone
	May     func(Action) bool
	Record  func(ctx context.Context, operation, thing string) error // writes down what was done; may be nil
}

// Gate tells who asks. A request without credentials, or with wrong ones, is a fault
// with the code unauthenticated.
type Gate interface {
	Authenticate(r *http.Request) (Identity, error)
}

// Route is one operation. The mux, the OpenAPI document, the page for people and the
// test that orgs are isolated are all made of these.
type Route struct {
	Method  string
	Path    string // after Prefix, with {id}
	Name    string // operationId
	Summary string
	Group   string // the noun
	Action  Action
	Status  int  // when all is well
	Single  bool // one resource, which gets an ETag
	Quiet   bool // changes nothing, or writes its own line of the audit log
	Example any  // of the body

	in, out shape
	serve   func(ctx context.Context, c *Call) (any, error)
}

// Call is one request on its way to a handler.
type Call struct {
	Identity
	Rooms  Rooms
	App    *app.App
	Read   store.Scope // the rows of the caller\'s org
	Caller auth.Identity

	route   *Route
	request *http.Request
	body    []byte
	log     *slog.Logger
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
		r.Action = View
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

// quietly marks a route that needs no line of the audit log from here.
func (r Route) quietly() Route {
	r.Quiet = true
	return r
}

// audited marks routes whose use cases write their own lines of the audit log.
func audited(routes []Route) []Route {
	for i := range routes {
		routes[i].Quiet = true
	}
	return routes
}

// needs names the right that a route needs where that does not follow from its noun.
func (r Route) needs(a Action) Route {
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
	for _, some := range [][]Route{candidateRoutes(), sourceRoutes(), blueprintRoutes(), watchRoutes(), runRoutes(), entityRoutes(), changeRoutes(),
		publicationRoutes(), subscriptionRoutes(), deliveryRoutes(), overviewRoutes(), orgRoutes(),
		peopleRoutes(), keyRoutes(), feedRoutes[curlew.SourceID]("source", "sources", "Source"), feedRoutes[curlew.WatchID]("watch", "watches", "Watch"),
		feedRoutes[curlew.SubscriptionID]("subscription", "subscriptions", "Subscription")} {
		all = append(all, some...)
	}
	return all
}

// List is one page of a listing.
type List[T any] struct {
	Data []T    `json:"data"`
	Next string `json:"next_cursor,omitempty"` // ask with it for what follows; absent at the end
}

// Window is a part of a listing.
type Window = store.Window

// paging is what every listing takes.
type paging struct {
	Cursor string `query:"cursor" maxlen:"600"`                   // next_cursor of the page before
	Limit  int    `query:"limit" min:"1" max:"500" default:"100"` // how many at most
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
