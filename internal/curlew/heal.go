package curlew

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// HealOutcome is how an attempt to heal a source ended.
type HealOutcome string

const (
	HealDone   HealOutcome = "healed"
	HealFailed HealOutcome = "failed"
	HealKept   HealOutcome = "kept" // the present blueprint works after all
)

// Heal is one attempt to heal a source, with all that a person needs to believe it.
type Heal struct {
	Run     RunID       `json:"run_id"`
	Org     OrgID       `json:"org"`
	Source  SourceID    `json:"source_id"`
	Watch   WatchID     `json:"watch_id"`
	Outcome HealOutcome `json:"outcome"`
	From    BlueprintID `json:"from_blueprint"`
	To      BlueprintID `json:"to_blueprint,omitempty"`
	Report  HealReport  `json:"report"`
	BeganAt time.Time   `json:"began_at"`
	EndedAt time.Time   `json:"ended_at,omitzero"`
}

// HealPlan is what a healing is asked to do: by a check, or by a person.
type HealPlan struct {
	Watch  WatchID `json:"watch_id"`
	Page   PageID  `json:"page_id,omitempty"`
	Cause  string  `json:"cause"`
	Partly bool    `json:"partly,omitempty"` // the blueprint still gives records, but lost fields
	Shown  bool    `json:"shown,omitempty"`  // and the page still shows them: where nothing reads them, a person has to look

	Details []string `json:"details,omitempty"` // fields that detail pages lost, while the list fits
}

// HealReport says how a healing went.
type HealReport struct {
	Cause    string          `json:"cause"`             // why the blueprint was given up
	Details  []string        `json:"details,omitempty"` // what detail pages no longer gave, where only these have another design
	How      string          `json:"how,omitempty"`
	Timeline []HealStep      `json:"timeline"`
	Proof    json.RawMessage `json:"proof,omitempty"`
	Drift    json.RawMessage `json:"drift,omitempty"`   // the two outlines of the page side by side
	Changes  []string        `json:"changes,omitempty"` // what differs between the blueprints
	Known    int             `json:"known"`             // entities that were known
	Possible int             `json:"possible"`          // of these, how many the pages still show
	Found    int             `json:"found"`             // of these, how many the new blueprint finds
	Differ   int             `json:"differ"`            // values that it reads differently
	Untold   bool            `json:"untold,omitempty"`  // a former design is back, of which people were told within a day
	// Provisional says that nothing that was known is on the page any more: what is read now is only like it.
	Provisional bool    `json:"provisional,omitempty"`
	Shadow      *Shadow `json:"shadow,omitempty"` // the last version that was tried beside the old one; nil when none came so far

	Values     []ComparedValue `json:"values,omitempty"`      // some of what was known, before and after
	PageBefore PageID          `json:"page_before,omitempty"` // as it was when the blueprint fitted; "" when it was not archived
	PageAfter  PageID          `json:"page_after,omitempty"`  // as it was when healing began
}

// Summary tells in plain words what changed on the page, what was done, and what was found
// again.
func (h Heal) Summary() []string {
	all := append([]string{h.Report.moved()}, h.did()...)
	if h.Outcome == HealDone {
		all = append(all, h.Report.agreed())
	}
	return all
}

// CouldBeFound is how many of the known entities the pages still show; where nobody looked
// for them, all that were known.
func (r HealReport) CouldBeFound() int {
	if r.Possible < r.Found {
		return r.Known
	}
	return r.Possible
}

// moved says how far the page has changed.
func (r HealReport) moved() string {
	if len(r.Details) > 0 {
		return "The list is as it was, and its detail pages were redesigned: they no longer gave " + strings.Join(r.Details, ", ") + "."
	}
	var drift struct {
		Distance float64 `json:"distance"`
	}
	if len(r.Drift) == 0 || json.Unmarshal(r.Drift, &drift) != nil {
		return "No earlier copy of the page is archived: what changed on it cannot be shown."
	}
	switch share := int(100*drift.Distance + 0.5); {
	case share == 0:
		return "The structure of the page is unchanged; only its content changed."
	case share < 30:
		return fmt.Sprintf("Parts of the page were rebuilt: %d %% of its structure is different.", share)
	default:
		return fmt.Sprintf("The page was redesigned: %d %% of its structure is different.", share)
	}
}

// did says what came of the healing.
func (h Heal) did() []string {
	r := h.Report
	again := fmt.Sprintf("found again %d of %d that could be found", r.Found, r.CouldBeFound())
	var all []string
	switch {
	case h.Outcome == HealKept:
		all = append(all, "The present rules read as much as any others would, so they are kept: "+again+".")
	case h.Outcome == HealDone:
		all = append(all, "Curlew learned the page again: "+again+".")
	case r.Shadow != nil:
		all = append(all, "No new way to read it could be proved, so nothing was changed: the best one "+again+".")
	default:
		all = append(all, fmt.Sprintf("No new blueprint was found, so nothing was changed; the page still shows %d of the known records.",
			r.Possible))
	}
	if gone := r.Known - r.Possible; gone > 0 && r.Possible > 0 {
		all = append(all, fmt.Sprintf("%s known and no longer on the pages that were read.", wasOrWere(gone)))
	}
	return all
}

// agreed says how far the values that were found again are as they were.
func (r HealReport) agreed() string {
	if r.Shadow == nil {
		return fmt.Sprintf("%d values differ.", r.Differ)
	}
	same, explained, wrong := 0, 0, 0
	for _, f := range r.Shadow.Known.Fields {
		same, explained, wrong = same+f.Same, explained+f.Explained, wrong+f.Wrong
	}
	switch {
	case explained+wrong == 0:
		return fmt.Sprintf("All %d values that were compared are as before.", same)
	case wrong == 0:
		return fmt.Sprintf("%d values are as before; %d differ because the page says something else now.", same, explained)
	}
	return fmt.Sprintf("%d values are as before, %d differ because the page says something else now, and %d without a reason on the page.",
		same, explained, wrong)
}

func wasOrWere(n int) string {
	if n == 1 {
		return "1 more was"
	}
	return fmt.Sprintf("%d more were", n)
}

// HealStep is one thing that was tried.
type HealStep struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
	Good bool      `json:"good"`
}

// Scorecard is one quality score of a source.
type Scorecard struct {
	Source SourceID        `json:"source_id"`
	Run    RunID           `json:"run_id,omitempty"`
	Score  int             `json:"score"`
	Card   json.RawMessage `json:"card"`
	At     time.Time       `json:"at"`
}
