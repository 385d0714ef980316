package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

type candidatesCommand struct {
	List    candidatesList    `cmd:"" help:"List candidates for sources."`
	Show    candidatesShow    `cmd:"" help:"Show one candidate: its analysis, its trials, and every move it made."`
	Approve candidatesApprove `cmd:"" help:"Deploy a candidate that waits for a person."`
	Reject  candidatesReject  `cmd:"" help:"Reject a candidate, with the reason."`
	Choose  candidatesChoose  `cmd:"" help:"Deploy one of the readings of a candidate that waits for a person."`
	Retry   candidatesRetry   `cmd:"" help:"Analyse a candidate again that was rejected, failed or broke."`
	Edit    candidatesEdit    `cmd:"" help:"Change a candidate that is not a source."`
	Delete  candidatesDelete  `cmd:"" help:"Delete a candidate that is not a source."`
}

type candidatesList struct {
	Status string `help:"Only candidates that are ${enum}." enum:",pending_analysis,analyzing,feasible,generating,testing,deployed,rejected,failed,broken,re_analyzing" default:"" placeholder:"STATUS"`
	Review bool   `help:"Only candidates that wait for a person."`
	Limit  atMost `help:"At most this many; all unless given."`
	After  string `help:"Those after the candidate with this id." placeholder:"ID"`
}

func (c candidatesList) Run(a *program) error {
	return a.reads(func(ctx context.Context, scope store.Scope) error {
		all, err := scope.Candidates().List(ctx, store.CandidateFilter{Status: curlew.CandidateStatus(c.Status)},
			store.Window{After: c.After, Limit: c.Limit.orAll()})
		if err != nil {
			return err
		}
		kept := all[:0]
		for _, one := range all {
			if one.Review || !c.Review {
				one.Report = nil
				kept = append(kept, one)
			}
		}
		now := time.Now()
		list(a, kept, "No candidates found. Propose one with \"curlew add URL\".",
			[]string{"candidate", "name", "status", "feasibility", "quality", "strategy", "changed", "url"}, func(c curlew.Candidate) []string {
				return []string{string(c.ID), text.Clip(c.Name, 30), candidateWord(c), points(c.Feasibility), points(c.Quality), orDash(c.Strategy),
					ago(&c.UpdatedAt, now), text.Clip(c.URL, 60)}
			})
		return nil
	})
}

// candidateWord is how a candidate stands, with what a person should know at a glance.
func candidateWord(c curlew.Candidate) string {
	switch {
	case c.Review:
		return curlew.CodeWords(c.Status) + ", waits for review"
	case c.Attempts > 0 && c.Status != curlew.CandidateDeployed && c.Status != curlew.CandidateRejected:
		return fmt.Sprintf("%s, attempt %d of %d", curlew.CodeWords(c.Status), min(c.Attempts+1, curlew.MaxCandidateAttempts),
			curlew.MaxCandidateAttempts)
	}
	return curlew.CodeWords(c.Status)
}

// points is a score, where there is one.
func points(score *int) string {
	if score == nil {
		return "–"
	}
	return fmt.Sprint(*score)
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

type candidatesShow struct {
	ID string `arg:"" help:"Id of the candidate."`
}

// candidateReport is all that is known of a candidate.
type candidateReport struct {
	curlew.Candidate
	Moves []store.CandidateTransition `json:"moves"`
}

func (c candidatesShow) Run(a *program) error {
	return about(a, c.ID, func(ctx context.Context, scope store.Scope, id curlew.CandidateID) (err error) {
		var r candidateReport
		if r.Candidate, err = scope.Candidates().Get(ctx, id); err != nil {
			return err
		}
		if r.Moves, err = scope.Candidates().Transitions(ctx, id); err != nil {
			return err
		}
		r.Moves = append([]store.CandidateTransition{}, r.Moves...)
		if a.JSON {
			writeJSON(a.Out, r)
			return nil
		}
		r.print(a)
		return nil
	})
}

func (r candidateReport) print(a *program) {
	found := onboard.ReportOf(r.Candidate)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.Out, "%-13s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintf(a.Out, "%s  %s\n", r.ID, printable(r.Name))
	line("url", "%s", r.URL)
	line("status", "%s", candidateWord(r.Candidate))
	if r.LastError != "" {
		line("", "%s", r.LastError)
	}
	line("feasibility", "%s", points(r.Feasibility))
	line("quality", "%s", points(r.Quality))
	line("read from", "%s", orDash(curlew.ReadFrom(r.Strategy)))
	line("priority", "%s, %s", priorityWord(r.Priority), deployWord(r.AutoDeploy))
	if r.Instructions != "" {
		line("instructions", "%s", r.Instructions)
	}
	if found.Analysis != nil && found.Analysis.Understood != "" {
		line("", "%s", found.Analysis.Understood)
	}
	if r.Source != "" {
		line("source", "%s", r.Source)
	}
	fmt.Fprintln(a.Out)
	var rows [][]string
	for _, m := range r.Moves {
		rows = append(rows, []string{moment(&m.At), curlew.CodeWords(m.From), curlew.CodeWords(m.To), text.Clip(m.Why, 120)})
	}
	table(a.Out, []string{"at", "from", "to", "why"}, rows)
	if found.Analysis != nil {
		fmt.Fprintf(a.Out, "\n%s\n", found.Analysis.Report.Text(78))
	}
	for _, t := range found.Trials {
		printTrial(a, t)
	}
	if r.Review {
		fmt.Fprintln(a.Out)
		printChoices(a, r.Candidate)
	}
}

// printTrial tells what was tried, how good it was, and what was wrong with it.
func printTrial(a *program, t onboard.Trial) {
	verdict := "did not pass"
	if t.Passed {
		verdict = "passed"
	}
	fmt.Fprintf(a.Out, "\nAttempt %d: %s, from %s\n  quality %d → %d, the judge: %s\n", t.Iteration, printable(t.What),
		curlew.ReadFrom(t.Tier), t.Before, t.Score, verdict)
	for _, sentence := range t.Feedback {
		fmt.Fprintf(a.Out, "  - %s\n", text.Clip(printable(sentence), 200))
	}
}

func priorityWord(p curlew.Priority) string {
	for word, priority := range priorities {
		if priority == p {
			return word
		}
	}
	return fmt.Sprint(p)
}

func deployWord(auto bool) string {
	if auto {
		return "deployed automatically when good"
	}
	return "deployed after approval"
}

type candidatesApprove struct {
	ID string `arg:"" help:"Id of the candidate."`
}

func (c candidatesApprove) Run(a *program) error {
	return a.decide(c.ID, "is deployed: its watch is due now", app.DecideCandidate{Decision: app.Approve})
}

type candidatesReject struct {
	ID  string `arg:"" help:"Id of the candidate."`
	Why string `required:"" help:"The reason." placeholder:"TEXT"`
}

func (c candidatesReject) Run(a *program) error {
	return a.decide(c.ID, "is rejected", app.DecideCandidate{Decision: app.Reject, Why: c.Why})
}

type candidatesRetry struct {
	ID string `arg:"" help:"Id of the candidate."`
}

func (c candidatesRetry) Run(a *program) error {
	return a.decide(c.ID, "is tried again by a server", app.DecideCandidate{Decision: app.Retry})
}

func (a *program) decide(text, words string, c app.DecideCandidate) error {
	return useOn(a, text, func(ctx context.Context, app *app.App, who auth.Identity, id curlew.CandidateID) error {
		c.ID = id
		candidate, err := app.DecideCandidate(ctx, who, c)
		if err != nil {
			return err
		}
		a.say(candidate, "%s %s.", id, words)
		return nil
	})
}

type candidatesEdit struct {
	ID           string  `arg:"" help:"Id of the candidate."`
	Name         *string `help:"What to call the source." placeholder:"NAME"`
	Instructions *string `help:"Instructions, in plain words; \"\" for none." placeholder:"TEXT"`
	Kind         *string `help:"What the page lists: event, product, job, …; \"\" finds out." placeholder:"KIND"`
	Priority     string  `help:"How urgent it is: high, normal, low." enum:",high,normal,low" default:"" placeholder:"PRIORITY"`
	AutoDeploy   *bool   `help:"Deploy without asking if its quality is good." negatable:""`
}

func (c candidatesEdit) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.CandidateID) error {
		command := app.EditCandidate{ID: id, Name: c.Name, Instructions: c.Instructions, Kind: c.Kind,
			AutoDeploy: c.AutoDeploy}
		if priority, ok := priorities[c.Priority]; ok {
			command.Priority = &priority
		}
		candidate, err := use.EditCandidate(ctx, who, command)
		if err != nil {
			return err
		}
		switch next := candidate.Status; {
		case next == curlew.CandidateRejected, next == curlew.CandidateFailed:
			a.say(candidate, "%s is changed: \"curlew candidates retry %[1]s\" tries it again.", id)
		case next == curlew.CandidatePending:
			a.say(candidate, "%s is changed, and will be analysed.", id)
		default:
			a.say(candidate, "%s is changed.", id)
		}
		return nil
	})
}

type candidatesDelete struct {
	ID string `arg:"" help:"Id of the candidate."`
}

func (c candidatesDelete) Run(a *program) error {
	return useOn(a, c.ID, func(ctx context.Context, use *app.App, who auth.Identity, id curlew.CandidateID) error {
		if err := use.DeleteCandidate(ctx, who, id); err != nil {
			return err
		}
		a.say(map[string]any{"deleted": id}, "%s is deleted.", id)
		return nil
	})
}
