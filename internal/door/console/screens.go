package console

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// screens are all pages by their addresses, and actions all that plain forms do.
var (
	screens = together(viewScreens, editScreens)
	actions = together(viewActions, editActions)
)

// together makes one table of several.
func together[T any](tables ...map[string]T) map[string]T {
	all := map[string]T{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// viewScreens are the pages of looking.
var viewScreens = map[string]screen{
	"/{$}":                showDashboard,
	"/monitor":            showMonitor,
	"/sources":            listSources,
	"/sources/{id}":       showSource,
	"/entities":           listEntities,
	"/entities/{id}":      showEntity,
	"/changes":            listChanges,
	"/candidates":         listCandidates,
	"/candidates/add":     addCandidate,
	"/candidates/{id}":    showCandidate,
	"/heals":              listHeals,
	"/heals/{id}":         showHeal,
	"/watches":            listWatches,
	"/watches/{id}":       showWatch,
	"/watches/{id}/urls":  showWatchURLs,
	"/subscriptions":      listSubscriptions,
	"/subscriptions/{id}": showSubscription,
	"/deliveries":         listDeliveries,
	"/deliveries/{id}":    showDelivery,
	"/runs":               listRuns,
	"/runs/{id}":          showRun,
	"/runs/{id}/urls":     showRunURLs,
	"/kinds":              listKinds,
	"/kinds/{id}":         showKind,
	"/blueprints":         listBlueprints,
	"/blueprints/new":     newBlueprint,
	"/blueprints/{id}":    showBlueprint,

	"/blueprints/new/{training}":          showTraining,
	"/blueprints/new/{training}/pick":     showPieces,
	"/blueprints/new/{training}/own":      showDetail,
	"/blueprints/new/{training}/own/pick": showDetailPieces,
	"/blueprints/new/{training}/test":     showTest,
	"/blueprints/new/{training}/save":     showSave,
}

// Screens are the addresses of all pages, for those who look at every one: {id} stands
// for the id of a thing.
func Screens() []string { return slices.Sorted(maps.Keys(screens)) }

// viewActions are what the forms there do.
var viewActions = map[string]action{
	"/candidates/{id}/approve":   {auth.EditCandidates, decide(app.Approve)},
	"/candidates/{id}/choose":    {auth.EditCandidates, chooseReading},
	"/candidates/{id}/reject":    {auth.EditCandidates, decide(app.Reject)},
	"/candidates/{id}/retry":     {auth.EditCandidates, decide(app.Retry)},
	"/watches/{id}/pause":        {auth.EditWatches, steerWatch("pause", (*app.App).PauseWatch)},
	"/watches/{id}/resume":       {auth.EditWatches, steerWatch("resume", (*app.App).ResumeWatch)},
	"/watches/{id}/accept":       {auth.EditWatches, steerWatch("accept", (*app.App).AcceptRemoval)},
	"/watches/{id}/trigger":      {auth.EditWatches, trigger},
	"/subscriptions/{id}/pause":  {auth.EditSubscriptions, steerSubscription("pause", (*app.App).PauseSubscription)},
	"/subscriptions/{id}/resume": {auth.EditSubscriptions, steerSubscription("resume", (*app.App).ResumeSubscription)},
	"/deliveries/{id}/replay":    {auth.ReplayDeliveries, replay},
	"/runs/{id}/pause":           {auth.SteerRuns, steerRun("pause", (*app.App).PauseRun)},
	"/runs/{id}/resume":          {auth.SteerRuns, steerRun("resume", (*app.App).ResumeRun)},
	"/blueprints/{id}/activate":  {auth.EditBlueprints, activate},
	"/runs/{id}/stop":            {auth.SteerRuns, steerRun("stop", (*app.App).StopRun)},
}

// perPage is how many rows a listing shows at once.
const perPage = 50

// window is the part of a listing that an address asks for, and one more row, which
// tells whether something follows.
func (v *visit) window() Window { return Window{After: v.query("after"), Limit: perPage + 1} }

// chosen is a filter with a closed set of values.
func chosen[T ~string](v *visit, name string, all ...T) T {
	text := v.query(name)
	if text != "" {
		words := make([]string, len(all))
		for i, one := range all {
			words[i] = string(one)
		}
		v.wrong.Add(name, curlew.ChoiceProblem(text, words))
	}
	return T(text)
}

// of is a filter that names a thing.
func of[ID curlew.Identifier](v *visit, name string) ID {
	text := v.query(name)
	if text == "" {
		return ""
	}
	id, err := curlew.ParseID[ID](text)
	if err != nil {
		v.wrong.Add(name, curlew.AsFault(err).Sentence)
	}
	return id
}

// ofKind is a filter that names a kind of records.
func (v *visit) ofKind(name string) curlew.SchemaName {
	kind := curlew.SchemaName(v.query(name))
	if err := v.kinds.Check(kind); err != nil {
		v.wrong.Add(name, curlew.AsFault(err).Sentence)
	}
	return kind
}

// later says that an address asks for what follows a first page: nothing new comes there.
func (v *visit) later() bool { return v.query("after") != "" }

// paged cuts the row too many off and makes the address of what follows.
func paged[T any](v *visit, rows []T, place func(T) string) (shown []T, next string) {
	if len(rows) <= perPage {
		return rows, ""
	}
	rows = rows[:perPage]
	q := url.Values{}
	for name := range v.URL.Query() {
		if name != "done" && v.query(name) != "" {
			q.Set(name, v.query(name))
		}
	}
	q.Set("after", place(rows[perPage-1]))
	return rows, v.URL.Path + "?" + q.Encode()
}

// sequence reads the place of a listing that is counted.
func (v *visit) sequence() int64 {
	n, err := strconv.ParseInt(v.query("after"), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// mostNames bounds how many sources are known by name on one page.
const mostNames = 1000

// sourceNames are what the sources of the org are called.
func sourceNames(ctx context.Context, v *visit) (map[curlew.SourceID]string, []curlew.Source, error) {
	sources, err := v.read.Sources().List(ctx, Window{Limit: mostNames})
	names := make(map[curlew.SourceID]string, len(sources))
	for _, s := range sources {
		names[s.ID] = text.Clip(clean(s.Name), 80)
	}
	return names, sources, err
}
