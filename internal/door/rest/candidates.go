package rest

import (
	"context"
	"net/http"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

type candidateID = named[curlew.CandidateID]

type listCandidates struct {
	paging
	Status curlew.CandidateStatus `query:"status"` // only those with this status
}

type decideCandidate struct {
	candidateID
	Body app.DecideCandidate `body:"json"`
}

func candidateRoutes() []Route {
	example := app.ProposeCandidate{URL: "https://example.org/events", Name: "Example events", Instructions: "only concerts",
		Priority: curlew.PriorityNormal}
	kind := string(curlew.SchemaEvent)
	return []Route{
		operation(http.MethodGet, "/candidates", "listCandidates", "List candidates, the oldest first.", doListCandidates),
		operation(http.MethodPost, "/candidates", "proposeCandidate",
			"Propose a URL: it is analysed, tested and deployed in the background. Of a page that is watched already it gives what is "+
				"there: status deployed, with watch_id, and without id where the watch never was a candidate.",
			sends((*app.App).ProposeCandidate)).creates(example),
		operation(http.MethodPost, "/candidates/import", "importCandidates",
			"Propose all sites of a list (lines, CSV, OPML, JSON, changedetection.io, Scrapy), with a result for each.",
			sends((*app.App).ImportCandidates)).like(app.ImportCandidates{List: "https://example.org/events\nhttps://example.com/jobs"}),
		operation(http.MethodGet, "/candidates/{id}", "getCandidate", "One candidate, with its reports.",
			gets(store.Scope.Candidates, store.Candidates.Get)),
		operation(http.MethodPatch, "/candidates/{id}", "editCandidate", "Change a candidate that is not a source.",
			edits[curlew.CandidateID]((*app.App).EditCandidate)).like(app.EditCandidate{Kind: &kind}),
		operation(http.MethodDelete, "/candidates/{id}", "deleteCandidate", "Delete a candidate that is not a source.",
			removes((*app.App).DeleteCandidate)),
		operation(http.MethodGet, "/candidates/{id}/moves", "listCandidateMoves", "The state changes of a candidate, the oldest first.",
			doCandidateMoves),
		operation(http.MethodPost, "/candidates/{id}/approve", "approveCandidate", "Deploy a candidate that waits for review.",
			decide(app.Approve)),
		operation(http.MethodPost, "/candidates/{id}/choose", "chooseCandidateReading",
			"Deploy one of the readings of a candidate that waits for a person.",
			edits[curlew.CandidateID]((*app.App).ChooseCandidateReading)).like(app.ChooseCandidateReading{Reading: 1}),
		operation(http.MethodPost, "/candidates/{id}/reject", "rejectCandidate", "End a candidate.",
			decide(app.Reject)).like(app.DecideCandidate{Why: "we have this already"}),
		operation(http.MethodPost, "/candidates/{id}/retry", "retryCandidate", "Try a failed candidate again.", decide(app.Retry)),
	}
}

func doListCandidates(ctx context.Context, c *Call, in listCandidates) (List[curlew.Candidate], error) {
	return listed(c, in.paging, func(x curlew.Candidate) string { return string(x.ID) }, func(w Window) ([]curlew.Candidate, error) {
		all, err := c.Read.Candidates().List(ctx, store.CandidateFilter{Status: in.Status}, w)
		for i := range all {
			all[i].Report = nil // they are long; ask for one candidate to read them
		}
		return all, err
	})
}

func doCandidateMoves(ctx context.Context, c *Call, in candidateID) (List[store.CandidateTransition], error) {
	all, err := c.App.CandidateMoves(ctx, c.Caller, in.ID)
	return List[store.CandidateTransition]{Data: filled(all)}, err
}

func decide(v app.CandidateDecision) handler[decideCandidate, curlew.Candidate] {
	return func(ctx context.Context, c *Call, in decideCandidate) (curlew.Candidate, error) {
		in.Body.ID, in.Body.Decision = in.ID, v
		return c.App.DecideCandidate(ctx, c.Caller, in.Body)
	}
}

// filled makes [] of what would be null.
func filled[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}
