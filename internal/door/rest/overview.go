package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
)

// Self is who asks, as the API sees it.
type Self struct {
	Org     curlew.OrgID  `json:"org"`
	Who     string        `json:"who"`
	Actions []auth.Action `json:"actions"` // what the caller may do
}

type usageSince struct {
	Since time.Time `query:"since"` // 30 days ago by default
	Until time.Time `query:"until"` // now by default
}

type usageMonths struct {
	Months int `query:"months" min:"1" max:"36" default:"12"` // how many
}

type listQuality struct{ paging }

var invitation = app.Invitation{Token: "NBVTNZNFY1YFXFMYC1EMcRPmGlB0bUGvvxkTtXbyqvY"}

func overviewRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/quality", "listQuality", "How good each source is.", doQuality),
		operation(http.MethodGet, "/usage", "getUsage", "What the org has used: pages, entities, models.", doUsage),
		operation(http.MethodGet, "/usage/months", "listUsageMonths",
			"What language models cost by calendar month, the newest first, and the budget.", doMonths),
		operation(http.MethodGet, "/health", "getHealth", "The state of the org's sources, watches and runs.", doHealth),
		operation(http.MethodGet, "/self", "getSelf", "Who asks, and what they may do.", doSelf),
		operation(http.MethodPost, "/self/join", "joinOrg", "Accept an invitation, as the person who is signed in.",
			answers((*app.App).Join)).like(invitation),
		operation(http.MethodPost, "/self/decline", "declineOrg", "Decline an invitation, as the person who is signed in.",
			answers((*app.App).Decline)).like(invitation),
	}
}

func doQuality(ctx context.Context, c *Call, in listQuality) (List[app.SourceQuality], error) {
	return listed(c, in.paging, func(x app.SourceQuality) string { return string(x.Source) },
		func(w Window) ([]app.SourceQuality, error) { return c.App.Quality(ctx, c.Caller, w) })
}

// usageDays is how far usage looks back by default.
const usageDays = 30

func doUsage(ctx context.Context, c *Call, in usageSince) (app.Usage, error) {
	if in.Since.IsZero() {
		in.Since = time.Now().AddDate(0, 0, -usageDays).UTC().Truncate(time.Hour)
	}
	if in.Until.IsZero() {
		in.Until = time.Now().UTC()
	}
	return c.App.Usage(ctx, c.Caller, in.Since, in.Until)
}

func doMonths(ctx context.Context, c *Call, in usageMonths) (List[app.MonthCost], error) {
	all, err := c.App.ModelCosts(ctx, c.Caller, in.Months)
	return List[app.MonthCost]{Data: filled(all)}, err
}

func doHealth(ctx context.Context, c *Call, _ noInput) (app.Health, error) {
	return c.App.Health(ctx, c.Caller)
}

// actions are what the API lets be done, from what most may do to what few may.
var actions = []auth.Action{auth.View, auth.EditCandidates, auth.EditSources, auth.EditBlueprints, auth.EditWatches, auth.SteerRuns,
	auth.EditSubscriptions, auth.ReplayDeliveries, auth.ViewPeople, auth.EditPeople, auth.ViewKeys, auth.EditKeys, auth.ViewAudit,
	auth.EditOrg}

func doSelf(_ context.Context, c *Call, _ noInput) (Self, error) {
	s := Self{Org: c.Caller.Org, Who: c.Caller.Name, Actions: []auth.Action{}}
	for _, a := range actions {
		if auth.Can(c.Caller, a) {
			s.Actions = append(s.Actions, a)
		}
	}
	return s, nil
}
