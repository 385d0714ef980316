package rest

import (
	"context"
	"net/http"

	"curlew/internal/curlew"
)

// Watches are the watches of an org.
type Watches interface {
	List(ctx context.Context, f WatchFilter, w Window) ([]curlew.Watch, error)
	Get(ctx context.Context, id curlew.WatchID) (curlew.Watch, error)
	Add(ctx context.Context, n NewWatch) (curlew.Watch, error)
	Edit(ctx context.Context, id curlew.WatchID, p WatchPatch) (curlew.Watch, error)
	Remove(ctx context.Context, id curlew.WatchID) error
}

// WatchControl steers watches.
type WatchControl interface {
	Steer(ctx context.Context, id curlew.WatchID, s WatchStep) (curlew.Watch, error)
	Trigger(ctx context.Context, id curlew.WatchID, t Trigger) (curlew.Run, error)
}

// WatchStep is what may be done with a watch.
type WatchStep string

const (
	PauseWatch    WatchStep = "pause"
	ResumeWatch   WatchStep = "resume"
	AcceptRemoval WatchStep = "accept-removal" // what is missing and held for review is gone indeed
)

// WatchFilter narrows a listing of watches.
type WatchFilter struct {
	Source curlew.SourceID    `query:"source_id"` // only those of this source
	Status curlew.WatchStatus `query:"status"`    // only those that stand so
}

// NewWatch is a watch to be added, to be read by a blueprint that is there. To have a way
// found first, propose a candidate.
type NewWatch struct {
	Blueprint curlew.BlueprintID `json:"blueprint_id"`
	URL       string             `json:"url" min:"1" maxlen:"2000"`
	WatchEdit
}

// WatchEdit is what to change about a watch; what is absent stays.
type WatchEdit struct {
	Name         *string          `json:"name,omitempty" maxlen:"200"`
	Schedule     *string          `json:"schedule,omitempty" maxlen:"200"` // "adaptive", "every 15m", "daily at 07:30 Europe/Warsaw", or cron
	Timezone     *string          `json:"timezone,omitempty" maxlen:"60"`  // of times on the page that name none
	Ranked       *bool            `json:"ranked,omitempty"`                // the order of the list means something
	StaleDays    *int             `json:"stale_days,omitempty" min:"0" max:"3650"`
	MaxPages     *int             `json:"max_pages,omitempty" min:"0" max:"100000"`
	RemovalShare *float64         `json:"removal_share,omitempty" min:"0" max:"1"` // more removals at once are held for review
	Delay        *curlew.Duration `json:"delay,omitempty"`                         // between requests; under a second only for allowed addresses
}

// WatchPatch is what to change about a watch that is there.
type WatchPatch struct {
	URL *string `json:"url,omitempty" min:"1" maxlen:"2000"` // another page of the same site
	WatchEdit
}

// Trigger says how to look.
type Trigger struct {
	Force   bool `json:"force,omitempty"`   // publish although nothing has changed
	Archive bool `json:"archive,omitempty"` // read the archived pages again and ask for none
}

type watchID struct {
	ID curlew.WatchID `path:"id"`
}

type listWatches struct {
	paging
	WatchFilter
}

type addWatch struct {
	Body NewWatch `body:"json"`
}

type editWatch struct {
	watchID
	Body WatchPatch `body:"json"`
}

type triggerWatch struct {
	watchID
	Body Trigger `body:"json"`
}

func watchRoutes() []Route {
	daily, fast := "daily at 07:30 Europe/Warsaw", "every 15m"
	add := NewWatch{Blueprint: "bp_0123456789abcdefghjkmnpq", URL: "https://example.org/events", WatchEdit: WatchEdit{Schedule: &daily}}
	return []Route{
		operation(http.MethodGet, "/watches", "listWatches", "List watches, the oldest first.", doListWatches),
		operation(http.MethodPost, "/watches", "addWatch", "Watch a URL of a source by a blueprint; the first run is due now.", doAddWatch).creates(add),
		operation(http.MethodGet, "/watches/{id}", "getWatch", "One watch.", doWatch),
		operation(http.MethodPatch, "/watches/{id}", "editWatch", "Change a watch; a new schedule counts from now.", doEditWatch).like(WatchPatch{WatchEdit: WatchEdit{Schedule: &fast}}),
		operation(http.MethodDelete, "/watches/{id}", "removeWatch", "Forget a watch. What it found, and its history, stay.", doRemoveWatch),
		operation(http.MethodPost, "/watches/{id}/pause", "pauseWatch", "Let a watch rest.", steerWatch(PauseWatch)),
		operation(http.MethodPost, "/watches/{id}/resume", "resumeWatch", "Let a watch look again, now.", steerWatch(ResumeWatch)),
		operation(http.MethodPost, "/watches/{id}/accept-removal", "acceptRemoval", "Say that what is held for review is gone indeed.", steerWatch(AcceptRemoval)),
		operation(http.MethodPost, "/watches/{id}/trigger", "triggerWatch", "Start a run of a watch.", doTrigger).creates(Trigger{Force: true}),
	}
}

func doListWatches(ctx context.Context, c *Call, in listWatches) (List[curlew.Watch], error) {
	return listed(c, in.paging, func(x curlew.Watch) string { return string(x.ID) }, func(w Window) ([]curlew.Watch, error) {
		return c.Rooms.Watches.List(ctx, in.WatchFilter, w)
	})
}

func doAddWatch(ctx context.Context, c *Call, in addWatch) (curlew.Watch, error) {
	return c.Rooms.Watches.Add(ctx, in.Body)
}

func doWatch(ctx context.Context, c *Call, in watchID) (curlew.Watch, error) {
	return c.Rooms.Watches.Get(ctx, in.ID)
}

func doEditWatch(ctx context.Context, c *Call, in editWatch) (curlew.Watch, error) {
	return c.Rooms.Watches.Edit(ctx, in.ID, in.Body)
}

func doRemoveWatch(ctx context.Context, c *Call, in watchID) (nothing, error) {
	return nothing{}, c.Rooms.Watches.Remove(ctx, in.ID)
}

func steerWatch(s WatchStep) handler[watchID, curlew.Watch] {
	return func(ctx context.Context, c *Call, in watchID) (curlew.Watch, error) {
		return c.Rooms.WatchControl.Steer(ctx, in.ID, s)
	}
}

func doTrigger(ctx context.Context, c *Call, in triggerWatch) (curlew.Run, error) {
	return c.Rooms.WatchControl.Trigger(ctx, in.ID, in.Body)
}
