package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
)

// Position is a place among all that those who look on are told: the last change, and
// the time up to which runs and pages were told.
type Position struct {
	Sequence int64
	At       time.Time
}

func (p Position) place() string { return fmt.Sprintf("%d.%d", p.Sequence, p.At.UnixMicro()) }

func parsePosition(place string) (Position, error) {
	sequence, at, ok := strings.Cut(place, ".")
	n, err := strconv.ParseInt(sequence, 10, 64)
	m, failed := strconv.ParseInt(at, 10, 64)
	if !ok || err != nil || failed != nil || n < 0 || m < 0 {
		return Position{}, errBadCursor
	}
	return Position{n, time.UnixMicro(m).UTC()}, nil
}

// Event is one thing that those who look on are told.
type Event struct {
	ID   string `json:"id"`    // a cursor: what follows can be asked for with it
	Name string `json:"event"` // such as job.progress
	// Data depends on the name.
	Data json.RawMessage `json:"data"`

	position Position
	run      curlew.RunID
}

// EventName is a kind of event and what it tells.
type EventName struct{ Name, Doc string }

// The names of runs and pages are those of the monitoring plan that the product comes
// from, where a run is a job and a page an article.
const (
	eventProgress = "job.progress"
	eventComplete = "job.complete"
	eventArticle  = "article.processed"
	eventDomain   = "domain.metrics"
	eventChange   = "change"
	eventDropped  = "dropped"
)

var eventNames = []EventName{
	{eventProgress, "A run began, continued or paused: its state and figures, without plan and progress."},
	{eventComplete, "A run has ended: its state, figures, summary and fault."},
	{eventArticle, "A page was fetched: the outcome, and whether it is new (inserted) or known already (deduped)."},
	{eventDomain, "What one host gave a run since the last such event: pages, bytes, failures."},
	{eventChange, "A change event, as GET /api/v1/changes lists it."},
	{eventDropped, "The last event before the connection is closed: why. Continue from the last id."},
}

// ArticleProcessed is what came of asking for a page.
type ArticleProcessed struct {
	Run      curlew.RunID   `json:"run_id,omitempty"`
	Page     curlew.PageID  `json:"page_id"`
	URL      string         `json:"url"`
	Domain   string         `json:"domain"`
	Outcome  curlew.Outcome `json:"outcome"`
	Status   int            `json:"status"`
	Inserted bool           `json:"inserted"`
	Deduped  bool           `json:"deduped"`
}

// DomainMetrics are what one host gave a run for a while.
type DomainMetrics struct {
	Run    curlew.RunID `json:"run_id,omitempty"`
	Domain string       `json:"domain"`
	Pages  int          `json:"pages"`
	Bytes  int64        `json:"bytes"`
	Failed int          `json:"failed"`
}

// JobEvent is a run as those who look on see it.
type JobEvent struct {
	curlew.Run
	ChangedAt time.Time `json:"changed_at"`
}

// lookBack is how much later than its time a change of a run may become visible: a
// transaction takes a while.
const lookBack = 10 * time.Second

// batchSize is how much is read at once.
const batchSize = 500

// eventSource is where what is new is read.
type eventSource struct {
	now     func(context.Context) (Position, error) // where those who begin to look on begin
	changes func(context.Context, store.ChangeFilter, int64, int) ([]curlew.Change, error)
	runs    func(ctx context.Context, since time.Time, after curlew.RunID, limit int) ([]store.MovedRun, error)
	pages   func(ctx context.Context, since time.Time, after curlew.PageID, limit int) ([]curlew.Page, error)
}

// source reads the rows of an org.
func (s *service) source(scope store.Scope) eventSource {
	now := func(ctx context.Context) (at Position, err error) {
		if at.At, err = s.App.Clock(ctx); err == nil {
			at.Sequence, err = scope.Changes().LastSequence(ctx)
		}
		return at, err
	}
	return eventSource{now, scope.Changes().List, scope.Runs().ChangedSince, scope.Pages().Since}
}

// eventReader reads what is new after a position. What may be seen again, because of looking
// back, it tells once.
type eventReader struct {
	org  curlew.OrgID
	from eventSource
	at   Position
	told map[string]time.Time // runs and pages of the time that is looked back at
	part sweep
}

// sweep is one reading of the time that is looked back at, in parts.
type sweep struct {
	since   time.Time // zero when none is under way
	lastRun store.MovedRun
	page    curlew.PageID
}

// pagesFor is how old pages may be that a viewer is told of who comes back.
const pagesFor = time.Hour

func newEventReader(org curlew.OrgID, from eventSource, at Position) *eventReader {
	return &eventReader{org: org, from: from, at: at, told: map[string]time.Time{}}
}

// next reads what is new. more says that there is more at once.
func (t *eventReader) next(ctx context.Context) (events []Event, more bool, err error) {
	if t.part.since.IsZero() {
		t.part = sweep{since: t.at.At.Add(-lookBack)}
		t.part.lastRun.ChangedAt = t.part.since
	}
	changes, err := t.from.changes(ctx, store.ChangeFilter{}, t.at.Sequence, batchSize)
	if err != nil {
		return nil, false, err
	}
	for _, c := range changes {
		t.at.Sequence = c.Sequence
		events = append(events, t.event(eventChange, c.Run, c))
	}
	pages, err := t.from.pages(ctx, t.part.since, t.part.page, batchSize)
	if err != nil {
		return nil, false, err
	}
	runs, err := t.from.runs(ctx, t.part.lastRun.ChangedAt, t.part.lastRun.Run.ID, batchSize)
	if err != nil {
		return nil, false, err
	}
	for _, m := range runs { // before the pages, which are remembered by this time
		t.reach(m.ChangedAt)
	}
	events = append(events, t.pages(pages)...)
	events = append(events, t.runs(runs)...)
	t.forget()
	more = len(changes) == batchSize || len(pages) == batchSize || len(runs) == batchSize
	if !more {
		t.part = sweep{}
		return events, false, nil
	}
	if len(pages) > 0 {
		t.part.page = pages[len(pages)-1].ID
	}
	if len(runs) > 0 {
		t.part.lastRun = runs[len(runs)-1]
	}
	return events, true, nil
}

// event is written once, however many look on.
func (t *eventReader) event(name string, run curlew.RunID, data any) Event {
	text, err := json.Marshal(data)
	if err != nil {
		text = []byte("null") // what was read from JSON can be written as such
	}
	return Event{ID: packCursor(t.org, "live", t.at.place()), Name: name, Data: text, position: t.at, run: run}
}

func (t *eventReader) runs(moved []store.MovedRun) (events []Event) {
	for _, m := range moved {
		if key := string(m.Run.ID); t.told[key].Before(m.ChangedAt) {
			t.told[key] = m.ChangedAt
		} else {
			continue
		}
		name := eventProgress
		if m.Run.State.Ended() {
			name = eventComplete
		}
		m.Run.Plan, m.Run.Progress = nil, nil
		events = append(events, t.event(name, m.Run.ID, JobEvent{m.Run, m.ChangedAt}))
	}
	return events
}

func (t *eventReader) pages(pages []curlew.Page) (events []Event) {
	type host struct {
		run  curlew.RunID
		name string
	}
	figures := map[host]*DomainMetrics{}
	var order []host
	for _, p := range pages {
		if _, known := t.told[string(p.ID)]; known {
			continue
		}
		t.told[string(p.ID)] = t.at.At
		name := ""
		if u, err := url.Parse(p.URL); err == nil {
			name = u.Hostname()
		}
		h := host{p.Run, name}
		if figures[h] == nil {
			figures[h] = &DomainMetrics{Run: p.Run, Domain: name}
			order = append(order, h)
		}
		good := p.Outcome == curlew.OutcomeFetched || p.Outcome == curlew.OutcomeNotModified
		figures[h].Pages++
		figures[h].Bytes += p.Bytes
		if !good {
			figures[h].Failed++
		}
		events = append(events, t.event(eventArticle, p.Run,
			ArticleProcessed{Run: p.Run, Page: p.ID, URL: p.URL, Domain: name, Outcome: p.Outcome, Status: p.Status,
				Inserted: p.Outcome == curlew.OutcomeFetched, Deduped: p.Outcome == curlew.OutcomeNotModified}))
	}
	for _, h := range order {
		events = append(events, t.event(eventDomain, h.run, *figures[h]))
	}
	return events
}

// reach moves the time on.
func (t *eventReader) reach(at time.Time) {
	if at.After(t.at.At) {
		t.at.At = at
	}
}

// forget drops what is too old to be seen again.
func (t *eventReader) forget() {
	for key, at := range t.told {
		if at.Before(t.at.At.Add(-2 * lookBack)) {
			delete(t.told, key)
		}
	}
}

// hubs are the orgs that somebody looks on at, in this process.
type hubs struct {
	o  Options
	mu sync.Mutex
	by map[curlew.OrgID]*hub
}

func newHubs(o Options) *hubs { return &hubs{o: o, by: map[curlew.OrgID]*hub{}} }

// hub tells all viewers of one org what is new. It reads while there are any.
type hub struct {
	viewers map[*viewer]struct{}
	at      Position
	end     context.CancelFunc
}

// viewer is one who looks on. Events wait in a bounded buffer; when it is full the
// viewer is sent away, so that nobody else waits.
type viewer struct {
	events chan Event
	gone   chan struct{} // closed when the viewer is sent away
	why    string
}

// The bounds of looking on.
const (
	mostWaiting = 1024
	mostViewers = 1000 // of an org, in one process
)

// join adds a viewer and says from where on it is told.
func (h *hubs) join(ctx context.Context, org curlew.OrgID, from eventSource) (*viewer, Position, error) {
	now, err := from.now(ctx)
	if err != nil {
		return nil, Position{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	it := h.by[org]
	if it == nil {
		working, end := context.WithCancel(context.WithoutCancel(ctx))
		it = &hub{viewers: map[*viewer]struct{}{}, at: now, end: end}
		h.by[org] = it
		go h.work(working, org, it, newEventReader(org, from, now))
	}
	if len(it.viewers) >= mostViewers {
		return nil, Position{}, curlew.Temporary("too_many_viewers", "there are %d live connections already: close some, or poll GET %s/changes",
			mostViewers, Prefix)
	}
	v := &viewer{events: make(chan Event, mostWaiting), gone: make(chan struct{})}
	it.viewers[v] = struct{}{}
	return v, it.at, nil
}

// leave takes a viewer away; when nobody is left, nothing is read any more.
func (h *hubs) leave(org curlew.OrgID, v *viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	it := h.by[org]
	if it == nil {
		return
	}
	delete(it.viewers, v)
	if len(it.viewers) == 0 {
		it.end()
		delete(h.by, org)
	}
}

// work reads what is new until nobody looks on.
func (h *hubs) work(ctx context.Context, org curlew.OrgID, it *hub, t *eventReader) {
	tick := time.NewTicker(h.o.Poll)
	defer tick.Stop()
	for {
		events, more, err := t.next(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			t.part = sweep{}
			h.o.Log.Warn("live events are interrupted for a moment", "org", org, "error", err)
		}
		h.spread(it, events, t.at)
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// spread gives events to all viewers, and sends those away that do not keep up.
func (h *hubs) spread(it *hub, events []Event, at Position) {
	h.mu.Lock()
	defer h.mu.Unlock()
	it.at = at
	for v := range it.viewers {
		for _, e := range events {
			select {
			case v.events <- e:
				continue
			default:
			}
			v.why = "you read too slowly: continue from the last id, or ask for fewer events"
			close(v.gone)
			delete(it.viewers, v)
			break
		}
	}
}

// viewing is what a viewer may ask for.
type viewing struct {
	Cursor string       `query:"cursor" maxlen:"600"` // the id of the last event that you saw
	Events []string     `query:"events" max:"20"`     // only events with these names; several with commas
	Run    curlew.RunID `query:"run_id"`              // only events of this run
}

func (v viewing) wants(e Event) bool {
	if v.Run != "" && e.run != v.Run {
		return false
	}
	for _, name := range v.Events {
		if name == e.Name {
			return true
		}
	}
	return len(v.Events) == 0
}

func (v viewing) check() error {
	for _, name := range v.Events {
		known := false
		for _, n := range eventNames {
			known = known || n.Name == name
		}
		if !known {
			return curlew.ProblemIn("query events", fmt.Sprintf("unknown event %q: see %s/docs#live", clipped(name), Prefix))
		}
	}
	return nil
}
