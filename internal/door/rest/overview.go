package rest

import (
	"context"
	"net/http"
	"time"

	"curlew/internal/curlew"
)

// Overview is how an org does as a whole.
type Overview interface {
	Quality(ctx context.Context, w Window) ([]SourceQuality, error)
	Usage(ctx context.Context, since, until time.Time) (Usage, error)
	// Months sums up what models cost in calendar months (in UTC), the newest first.
	Months(ctx context.Context, months int) ([]MonthCost, error)
	Health(ctx context.Context) (Health, error)
}

// SourceQuality is how good a source is.
type SourceQuality struct {
	Source curlew.SourceID   `json:"source_id"`
	Name   string            `json:"name"`
	Trust  curlew.Trust      `json:"trust"`
	Score  *int              `json:"quality_score"` // null before the first one
	Card   *curlew.Scorecard `json:"scorecard,omitempty"`
}

// Usage is what an org has used.
type Usage struct {
	Since    time.Time                     `json:"since"`
	Until    time.Time                     `json:"until"`
	Pages    int64                         `json:"pages"`       // that websites were asked for
	Entities map[curlew.EntityStatus]int64 `json:"entities"`    // now
	Changes  int64                         `json:"changes"`     // told since the beginning
	Models   []ModelUse                    `json:"models"`      // what language models were asked
	Cost     int64                         `json:"cost_micros"` // of the models, in millionths of a dollar
}

// MonthCost is what models cost in a calendar month.
type MonthCost struct {
	Month  string `json:"month"` // 2026-11
	Calls  int64  `json:"calls"`
	Cost   int64  `json:"cost_micros"`   // in millionths of a dollar
	Budget int64  `json:"budget_micros"` // of a month; 0 means none
}

// ModelUse is what asking models for one purpose came to.
type ModelUse struct {
	Source       curlew.SourceID     `json:"source_id,omitempty"`
	Purpose      curlew.ModelPurpose `json:"purpose"`
	Calls        int64               `json:"calls"`
	InputTokens  int64               `json:"input_tokens"`
	OutputTokens int64               `json:"output_tokens"`
	Cost         int64               `json:"cost_micros"`
}

// Health is how an org's sources, watches and runs stand.
type Health struct {
	Status        string                              `json:"status" enum:"ok,attention"`
	Sources       map[curlew.Trust]int64              `json:"sources"`
	Watches       map[curlew.WatchStatus]int64        `json:"watches"`
	Runs          map[curlew.RunState]int64           `json:"runs"` // of the last hundred
	Subscriptions map[curlew.SubscriptionStatus]int64 `json:"subscriptions"`
	Attention     []string                            `json:"attention"` // sentences: what a person should look at
}

// Self is who asks, as the API sees it.
type Self struct {
	Org     curlew.OrgID `json:"org"`
	Who     string       `json:"who"`
	Actions []Action     `json:"actions"` // what the caller may do
}

type usageSince struct {
	Since time.Time `query:"since"` // 30 days ago when nobody says
	Until time.Time `query:"until"` // now when nobody says
}

type usageMonths struct {
	Months int `query:"months" min:"1" max:"36" default:"12"` // how many
}

type listQuality struct{ paging }

func overviewRoutes() []Route {
	return []Route{
		operation(http.MethodGet, "/quality", "listQuality", "How good each source is.", doQuality),
		operation(http.MethodGet, "/usage", "getUsage", "What the org has used: pages, entities, models.", doUsage),
		operation(http.MethodGet, "/usage/months", "listUsageMonths", "What language models cost by calendar month, the newest first, and the budget.", doMonths),
		operation(http.MethodGet, "/health", "getHealth", "How the org's sources, watches and runs stand.", doHealth),
		operation(http.MethodGet, "/self", "getSelf", "Who asks, and what they may do.", doSelf),
	}
}

func doQuality(ctx context.Context, c *Call, in listQuality) (List[SourceQuality], error) {
	return listed(c, in.paging, func(x SourceQuality) string { return string(x.Source) }, func(w Window) ([]SourceQuality, error) { return c.Rooms.Overview.Quality(ctx, w) })
}

// usageDays is how far usage looks back when nobody says.
const usageDays = 30

func doUsage(ctx context.Context, c *Call, in usageSince) (Usage, error) {
	if in.Since.IsZero() {
		in.Since = time.Now().AddDate(0, 0, -usageDays).UTC().Truncate(time.Hour)
	}
	if in.Until.IsZero() {
		in.Until = time.Now().UTC()
	}
	return c.Rooms.Overview.Usage(ctx, in.Since, in.Until)
}

func doMonths(ctx context.Context, c *Call, in usageMonths) (List[MonthCost], error) {
	all, err := c.Rooms.Overview.Months(ctx, in.Months)
	return List[MonthCost]{Data: filled(all)}, err
}

func doHealth(ctx context.Context, c *Call, _ noInput) (Health, error) {
	return c.Rooms.Overview.Health(ctx)
}

func doSelf(_ context.Context, c *Call, _ noInput) (Self, error) {
	s := Self{Org: c.Org, Who: c.Who, Actions: []Action{}}
	for _, a := range allActions {
		if c.May(a) {
			s.Actions = append(s.Actions, a)
		}
	}
	return s, nil
}
