package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/heal"
)

type healList struct {
	Heals []curlew.Heal
	Names map[curlew.SourceID]string
}

func listHeals(ctx context.Context, v *visit) (view, error) {
	heals, err := v.app.Heals(ctx, v.who, of[curlew.SourceID](v, "source"), perPage)
	if err != nil {
		return view{}, err
	}
	names, _, err := sourceNames(ctx, v)
	return view{"heals", "Heals", healList{heals, names}}, err
}

type healPage struct {
	curlew.Heal
	Where  string
	Took   string
	Failed int                // heals in a row that failed, up to now
	Before []curlew.Scorecard // the visits before, the oldest first
	Sides  []healSide
	Values []healValue
	Proof  *proof
	Drift  *drift
}

// healSide is the page before or after, as a picture.
type healSide struct {
	Title string
	Page  curlew.Page
	Frame string // where the picture is; "" where there is none
	Why   string // there is none
}

// healValue is a value before and after, for people.
type healValue struct {
	curlew.ComparedValue
	Before, After string
}

type proof struct {
	Pages      int     `json:"pages"`
	Records    int     `json:"records"`
	Lost       int     `json:"lost"`
	Confidence float64 `json:"confidence"`
	Fields     []struct {
		Field   string `json:"field"`
		Known   int    `json:"known"`
		Located int    `json:"located"`
		Found   int    `json:"found"`
		Rule    string `json:"rule"`
	} `json:"fields"`
	Notes []string `json:"notes"`
}

type drift struct {
	Distance float64     `json:"distance"`
	Lines    []driftLine `json:"lines"`
	Summary  []string    `json:"summary"`
	Cut      bool        `json:"-"`
}

type driftLine struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Same   bool   `json:"same"`
}

// visitsBefore is how many visits before a heal its timeline begins with.
const visitsBefore = 2

// mostDrift is how many lines of an outline a page shows.
const mostDrift = 300

func showHeal(ctx context.Context, v *visit) (view, error) {
	h, err := v.read.Heals().Get(ctx, curlew.RunID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	source, err := v.read.Sources().Get(ctx, h.Source)
	if err != nil {
		return view{}, err
	}
	p := healPage{Heal: h, Where: clean(source.Name), Took: brief(h.EndedAt.Sub(h.BeganAt)), Failed: source.HealFailures}
	scores, err := v.read.Scorecards().Scores(ctx, h.Source, trendChecks)
	if err != nil {
		return view{}, err
	}
	for _, s := range slices.Backward(scores) {
		if s.At.Before(h.BeganAt) {
			p.Before = append(p.Before, s)
		}
	}
	p.Before = p.Before[max(0, len(p.Before)-visitsBefore):]
	if p.Sides, err = healSides(ctx, v, h); err != nil {
		return view{}, err
	}
	var kind curlew.Schema
	if from, err := v.read.Blueprints().Get(ctx, h.From); err == nil {
		kind = v.kinds.Kind(from.Schema)
	}
	for _, c := range h.Report.Values {
		shown := func(value any) string {
			return text.ShortenWords(wholeValue(kind, c.Field, value, curlew.Values{"currency": c.Currency}), mostDiff)
		}
		p.Values = append(p.Values, healValue{c, shown(c.Old), shown(c.New)})
	}
	var proved proof
	if len(h.Report.Proof) > 0 && json.Unmarshal(h.Report.Proof, &proved) == nil {
		p.Proof = &proved
	}
	var moved drift
	if len(h.Report.Drift) > 0 && json.Unmarshal(h.Report.Drift, &moved) == nil && len(moved.Lines) > 0 {
		moved.Lines = around(moved.Lines)
		moved.Cut = len(moved.Lines) > mostDrift
		moved.Lines = moved.Lines[:min(len(moved.Lines), mostDrift)]
		p.Drift = &moved
	}
	return view{"heal", "Healing of " + text.Clip(p.Where, 80), p}, nil
}

// healSides are the pages before and after.
func healSides(ctx context.Context, v *visit, h curlew.Heal) ([]healSide, error) {
	var all []healSide
	for _, s := range []struct {
		side  heal.Side
		title string
	}{{heal.SideBefore, "Before"}, {heal.SideAfter, "After"}} {
		one := healSide{Title: s.title, Why: "No copy of the page was archived at that time."}
		if id, _ := s.side.Page(h); id != "" {
			page, err := v.read.Pages().Get(ctx, id)
			switch {
			case errors.Is(err, curlew.ErrNotFound):
			case err != nil:
				return nil, err
			case page.ArchiveRef == "":
				one.Page, one.Why = page, "The archived copy is no longer kept."
			case !strings.Contains(page.ContentType, "html"):
				one.Page, one.Why = page, "This is data, not a page: there is nothing to show."
			default:
				one.Page, one.Why, one.Frame = page, "", "/heals/"+string(h.Run)+"/page/"+string(s.side)+"#r0"
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// healPictureAt is where the pictures of a heal are.
const healPictureAt = "/heals/{id}/page/{side}"

// showHealPicture serves the copy of a page before or after a heal to a frame, as showCopy
// does, without any script.
func (c *Console) showHealPicture(w http.ResponseWriter, r *http.Request) {
	v, err := c.visit(r)
	if err != nil {
		c.fail(w, r, err)
		return
	}
	copied, err := v.app.HealPicture(r.Context(), v.who, curlew.RunID(r.PathValue("id")), heal.Side(r.PathValue("side")))
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.serveCopy(w, copied, 0)
}

// around keeps the lines that moved, and one on either side of each.
func around(lines []driftLine) []driftLine {
	var kept []driftLine
	for i, l := range lines {
		if !l.Same || i > 0 && !lines[i-1].Same || i+1 < len(lines) && !lines[i+1].Same {
			kept = append(kept, l)
		}
	}
	return kept
}
