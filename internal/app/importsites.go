package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/urls"
)

// ImportCandidates proposes all sites of a list. What the list says of a site holds before what is said of all.
type ImportCandidates struct {
	// List is the text of it: addresses line by line, CSV, OPML, JSON, what changedetection.io keeps, or a spider of Scrapy.
	List         string          `json:"list" min:"1" maxlen:"20000000"`
	Instructions string          `json:"instructions,omitempty" maxlen:"4000"` // what to look for on all of them, in plain words
	Kind         string          `json:"kind,omitempty" maxlen:"100"`          // what the pages list; "" finds out
	Priority     curlew.Priority `json:"priority,omitempty"`                   // 1 first, 3 last; 2 by default
	AutoDeploy   *bool           `json:"auto_deploy,omitempty"`                // true by default; false waits for a person
	DryRun       bool            `json:"dry_run,omitempty"`                    // dry run: say what would be done
}

// Check says what is wrong with the command.
func (c ImportCandidates) Check() curlew.Problems {
	all := ProposeCandidate{URL: "https://example.org/", Instructions: c.Instructions, Kind: c.Kind, Priority: c.Priority}.Check()
	if c.List == "" {
		all.Add("list", "it is empty: write an address on each line")
	}
	return all
}

// ImportOutcome is what became of a line.
type ImportOutcome string

const (
	ImportAdded   ImportOutcome = "added"   // it is analysed now
	ImportThere   ImportOutcome = "there"   // it was there already
	ImportSkipped ImportOutcome = "skipped" // as the list itself says
	ImportWrong   ImportOutcome = "wrong"   // why says what to do
)

// ImportedLine is what became of one site of a list.
type ImportedLine struct {
	Line      int                `json:"line"` // of the list, or its number where that has no lines
	URL       string             `json:"url"`
	Outcome   ImportOutcome      `json:"outcome"`
	Candidate curlew.CandidateID `json:"candidate_id,omitempty"`
	Why       string             `json:"why,omitempty"` // a sentence
}

// ImportReport is what became of a list.
type ImportReport struct {
	Lines   []ImportedLine `json:"lines" nonnull:"true"`
	Added   int            `json:"added"`
	There   int            `json:"there"`
	Skipped int            `json:"skipped"`
	Wrong   int            `json:"wrong"`
}

func (r *ImportReport) add(l ImportedLine) {
	r.Lines = append(r.Lines, l)
	*map[ImportOutcome]*int{ImportAdded: &r.Added, ImportThere: &r.There, ImportSkipped: &r.Skipped, ImportWrong: &r.Wrong}[l.Outcome]++
}

// ImportCandidates proposes the sites of a list one after another, each for itself.
func (a *App) ImportCandidates(ctx context.Context, who auth.Identity, c ImportCandidates) (ImportReport, error) {
	return a.ImportTelling(ctx, who, c, func(ImportedLine) {})
}

// ImportTelling does so and tells of each line as soon as it is done.
func (a *App) ImportTelling(ctx context.Context, who auth.Identity, c ImportCandidates, tell func(ImportedLine)) (ImportReport, error) {
	report := ImportReport{Lines: []ImportedLine{}}
	if err := (verb{"importCandidates", auth.EditCandidates}).may(who, c); err != nil {
		return report, err
	}
	sites, err := ReadSiteList([]byte(c.List))
	if err != nil {
		return report, err
	}
	kinds, err := a.i.Store.Org(who.Org).Kinds().All(ctx)
	if err != nil {
		return report, err
	}
	if _, err := kinds.ByName(curlew.SchemaName(c.Kind)); c.Kind != "" && err != nil {
		return report, curlew.Wrong("kind", err)
	}
	seen := map[string]int{}
	for _, site := range sites {
		line, err := a.importSite(ctx, who, c, site, seen)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && line.Outcome == ImportWrong {
			line.Outcome, line.Why, err = ImportSkipped, "there was no time left for it: import the list again", nil
		}
		if err != nil {
			return report, err
		}
		report.add(line)
		tell(line)
	}
	return report, nil
}

// importSite proposes one site. Only what would fail for all others too is an error.
func (a *App) importSite(
	ctx context.Context, who auth.Identity, c ImportCandidates, site ListedSite, seen map[string]int,
) (ImportedLine, error) {
	out := ImportedLine{Line: site.Line, URL: text.Clip(site.URL, 2000), Outcome: ImportWrong, Why: site.Why}
	if site.Why != "" {
		out.Outcome = ImportSkipped
		return out, nil
	}
	one := ProposeCandidate{URL: site.URL, Name: text.Clip(site.Name, 200), Kind: c.Kind, Region: site.Region, Instructions: c.Instructions,
		Priority: c.Priority, AutoDeploy: c.AutoDeploy}
	if site.Kind != "" {
		one.Kind = site.Kind
	}
	if curlew.NameProblem(one.Name) != "" {
		one.Name = ""
	}
	err := one.Check().Err()
	if address, wrong := urls.Canonical(site.URL, ""); err == nil && wrong == nil {
		if before, twice := seen[address]; twice {
			out.Outcome, out.Why = ImportSkipped, fmt.Sprintf("it is the same as line %d", before)
			return out, nil
		}
		seen[address] = site.Line
	}
	var candidate curlew.Candidate
	switch {
	case err != nil:
	case c.DryRun:
		err = a.mayPropose(ctx, who, one)
	default:
		candidate, err = a.propose(ctx, who, one)
	}
	fault := curlew.AsFault(err)
	if wrong := (curlew.Problems{}); errors.As(err, &wrong) {
		fault = curlew.Permanent("bad_request", "%s", wrong[0].Sentence) // it is clear from it which part of the line is meant
	}
	switch {
	case err == nil:
		out.Outcome, out.Candidate = ImportAdded, candidate.ID
	case errors.Is(err, curlew.ErrProposedAlready), errors.Is(err, curlew.ErrWatchedAlready):
		out.Outcome, out.Why = ImportThere, fault.Sentence
	case fault.Kind == curlew.KindTemporary, errors.Is(err, curlew.ErrForbidden), ctx.Err() != nil:
		return out, err
	default:
		out.Why = fault.Sentence
	}
	return out, nil
}
