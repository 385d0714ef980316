package console

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

type candidateList struct {
	Candidates []candidateRow
	Most       int // attempts
	Counts     []statusCount
	All        int64
	Status     curlew.CandidateStatus
	Next       string
	Later      bool // not the first page
}

// candidateRow is a candidate and what may be done with it.
type candidateRow struct {
	curlew.Candidate
	CanRetry  bool
	Reason    string       // why it stands where it stands, when nothing went wrong
	Trust     curlew.Trust // of its source
	LastCheck *time.Time   // at its source
}

// candidateRows add what became of those that are deployed, and why others are not.
func candidateRows(ctx context.Context, v *visit, all []curlew.Candidate) ([]candidateRow, error) {
	_, sources, err := sourceNames(ctx, v)
	if err != nil {
		return nil, err
	}
	checks, _, err := lastChecks(ctx, v)
	trust := map[curlew.SourceID]curlew.Trust{}
	for _, s := range sources {
		trust[s.ID] = s.Trust
	}
	rows := make([]candidateRow, 0, len(all))
	for _, c := range all {
		row := candidateRow{Candidate: c, CanRetry: c.CanRetry(), Trust: trust[c.Source],
			LastCheck: checks[c.Source]}
		if c.Status == curlew.CandidateRejected && c.LastError == "" {
			if told := onboard.ReportOf(c); told.Analysis != nil {
				row.Reason = told.Analysis.Report.Reason
			}
		}
		rows = append(rows, row)
	}
	return rows, err
}

type statusCount struct {
	Status curlew.CandidateStatus
	Count  int64
}

var candidateStatuses = []curlew.CandidateStatus{curlew.CandidatePending, curlew.CandidateAnalyzing, curlew.CandidateFeasible,
	curlew.CandidateGenerating,
	curlew.CandidateTesting, curlew.CandidateDeployed, curlew.CandidateRejected, curlew.CandidateFailed, curlew.CandidateBroken,
	curlew.CandidateReanalyzing}

func listCandidates(ctx context.Context, v *visit) (view, error) {
	l := candidateList{Later: v.later(), Status: chosen(v, "status", candidateStatuses...)}
	all, err := v.read.Candidates().ListBefore(ctx, store.CandidateFilter{Status: l.Status}, v.window())
	if err != nil {
		return view{}, err
	}
	all, l.Next = paged(v, all, func(c curlew.Candidate) string { return string(c.ID) })
	l.Most = curlew.MaxCandidateAttempts
	if l.Candidates, err = candidateRows(ctx, v, all); err != nil {
		return view{}, err
	}
	counts, err := v.read.Candidates().Count(ctx)
	for _, s := range candidateStatuses {
		if l.All += counts[s]; counts[s] > 0 {
			l.Counts = append(l.Counts, statusCount{s, counts[s]})
		}
	}
	return view{"candidates", "Candidates", l}, err
}

// candidateForm is a candidate while it is written.
type candidateForm struct {
	ID    curlew.CandidateID // "" of a new one
	Kinds []curlew.SchemaName
	Typed url.Values
	Wrong curlew.Problems

	NoContact string
}

func (f candidateForm) view(v *visit) view {
	f.NoContact = v.app.NoContact()
	for _, s := range v.kinds.Current() {
		f.Kinds = append(f.Kinds, s.Name)
	}
	if f.ID != "" {
		return view{"candidateadd", "Edit a candidate", f}
	}
	return view{"candidateadd", "Add a candidate", f}
}

func editCandidate(ctx context.Context, v *visit) (view, error) {
	c, err := v.read.Candidates().Get(ctx, curlew.CandidateID(v.PathValue("id")))
	kind, instructions := onboard.KindIn(c.Instructions)
	f := candidateForm{ID: c.ID, Typed: url.Values{"name": {c.Name}, "instructions": {instructions}, "kind": {kind},
		"priority": {strconv.Itoa(int(c.Priority))}}}
	if c.AutoDeploy {
		f.Typed.Set("auto_deploy", "1")
	}
	return f.view(v), err
}

func sendCandidate(ctx context.Context, v *visit) (answer, error) {
	f := candidateForm{ID: curlew.CandidateID(v.PathValue("id")), Typed: v.PostForm}
	c := app.EditCandidate{ID: f.ID}
	if f.Wrong = v.command(&c); len(f.Wrong) > 0 {
		return answer{page: f.view(v), wrong: true}, nil
	}
	_, err := v.app.EditCandidate(ctx, v.who, c)
	if err == nil {
		return answer{next: "/candidates/" + string(f.ID) + "?done=saved"}, nil
	}
	if f.Wrong, err = problems(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(v), wrong: true}, nil
}

func confirmDeleteCandidate(ctx context.Context, v *visit) (view, error) {
	c, err := v.read.Candidates().Get(ctx, curlew.CandidateID(v.PathValue("id")))
	return confirmation("Delete this candidate?", question{What: c.Name, Yes: "Yes, delete it",
		Back: "/candidates/" + string(c.ID), Danger: true,
		Lost: []string{"Its analysis and its history are deleted. The address can be added again later."}}), err
}

func deleteCandidate(ctx context.Context, v *visit) (string, error) {
	return "/candidates?done=removed", v.app.DeleteCandidate(ctx, v.who, curlew.CandidateID(v.PathValue("id")))
}

func addCandidate(_ context.Context, v *visit) (view, error) {
	return candidateForm{Typed: url.Values{"priority": {"2"}, "auto_deploy": {"1"}, "kind": {v.query("kind")},
		"url": {v.URL.Query().Get("url")}}}.view(v), nil
}

// candidatePage is a candidate with the reports about it, as a page shows them.
type candidatePage struct {
	curlew.Candidate
	Moves    []store.CandidateTransition
	Analysis *onboard.Analysis
	Trials   []onboard.Trial
	Choices  []choice          // that wait for a person
	Why      string            // a person is to choose
	Found    []onboard.Finding // what the page can be read as
	Busy     bool              // its onboarding goes on
	CanRetry bool
	CanStop  bool
	CanEdit  bool // and be deleted
	Stages   []stage
	Card     *quality.Scorecard // of the trial that did best
	Sampled  curlew.Schema      // the kind of its sample
	Most     int                // attempts
}

// stage is one step on the way of a candidate.
type stage struct {
	Label, Tone string
	Here        bool
}

var stageOrder = []curlew.CandidateStatus{curlew.CandidatePending, curlew.CandidateAnalyzing, curlew.CandidateFeasible,
	curlew.CandidateGenerating, curlew.CandidateTesting, curlew.CandidateDeployed}

// stagesOf is the way of a candidate, and where on it it stands. One that left the way
// shows where that was.
func stagesOf(status curlew.CandidateStatus, moves []store.CandidateTransition) []stage {
	reached := slices.Index(stageOrder, status)
	for _, m := range moves {
		reached = max(reached, slices.Index(stageOrder, m.To))
	}
	aside := !slices.Contains(stageOrder, status)
	if !aside {
		reached = slices.Index(stageOrder, status)
	}
	var all []stage
	for i, s := range stageOrder {
		one := stage{Label: word(s), Here: s == status}
		switch {
		case one.Here && s != curlew.CandidateDeployed:
			one.Tone = "here"
		case i <= reached:
			one.Tone = "past"
		}
		all = append(all, one)
	}
	if aside {
		all = append(all, stage{word(status), "wrong", true})
	}
	return all
}

// choice is a reading of the page that a person may choose.
type choice struct {
	onboard.Choice
	Number int // from 1
}

// Named are the fields that a plain list would have as a kind of its own, for a person to name.
func (c choice) Named() []curlew.Field {
	if c.Kind != curlew.SchemaItem {
		return nil
	}
	kind, _ := app.ReadingFields(c.Choice) // one that cannot be read has none to name
	return kind.Fields
}

// mostFacts bounds what is shown of a record of the sample beside its name.
const mostFacts = 4

// Facts are what helps to choose, in the order of the kind: addresses and long texts say
// little, unless there is nothing else.
func (c choice) Facts(sample curlew.Values) []fact {
	little := []string{"language", "time_known", "figures", "dates", "slots"}
	names := slices.DeleteFunc(append(c.Of().Short(), "text"), func(name string) bool { return slices.Contains(little, name) })
	return factsOf(sample, names, mostFacts)
}

func showCandidate(ctx context.Context, v *visit) (view, error) {
	c, err := v.read.Candidates().Get(ctx, curlew.CandidateID(v.PathValue("id")))
	if err != nil {
		return view{}, err
	}
	moves, err := v.app.CandidateMoves(ctx, v.who, c.ID)
	if err != nil {
		return view{}, err
	}
	told := onboard.ReportOf(c)
	p := candidatePage{Candidate: c, Moves: moves, Analysis: told.Analysis, Trials: told.Trials,
		CanRetry: c.CanRetry(), CanStop: c.Status.Move(curlew.CandidateRejected) == nil,
		CanEdit: c.Source == "" && (c.Review || c.Status == curlew.CandidatePending || c.CanRetry()),
		Stages:  stagesOf(c.Status, moves), Most: curlew.MaxCandidateAttempts}
	if c.Review && c.Source == "" {
		for i, c := range told.Choices {
			p.Choices = append(p.Choices, choice{c, i + 1})
		}
		p.Why = told.Why
	}
	p.Busy = !c.Review && slices.Contains(stageOrder[:len(stageOrder)-1], c.Status)
	if len(p.Choices) == 0 {
		p.Found = told.Findings()
	}
	if told.Analysis != nil {
		p.Sampled = v.kinds.Kind(told.Analysis.Report.Schema)
	}
	p.Card = bestCard(told.Trials)
	return view{"candidate", text.Clip(clean(c.Name), 100), p}, nil
}

// bestCard is that of the trial that did best; nil without any.
func bestCard(trials []onboard.Trial) (best *quality.Scorecard) {
	for i, t := range trials {
		if len(t.Card.Dimensions) > 0 && (best == nil || t.Card.Score >= best.Score) {
			best = &trials[i].Card
		}
	}
	return best
}

func propose(ctx context.Context, v *visit) (answer, error) {
	f := candidateForm{Typed: v.PostForm}
	var c app.ProposeCandidate
	if f.Wrong = v.command(&c); len(f.Wrong) > 0 {
		return answer{page: f.view(v), wrong: true}, nil
	}
	candidate, err := v.app.ProposeCandidate(ctx, v.who, c)
	switch {
	case err == nil && candidate.Watch != "":
		return answer{next: "/watches/" + string(candidate.Watch) + "?done=watched"}, nil
	case err == nil:
		return answer{next: "/candidates/" + string(candidate.ID) + "?done=proposed"}, nil
	}
	if f.Wrong, err = problems(err); err != nil {
		return answer{}, err
	}
	return answer{page: f.view(v), wrong: true}, nil
}

// chooseReading deploys a candidate with one of its readings.
func chooseReading(ctx context.Context, v *visit) (string, error) {
	number, err := strconv.Atoi(v.text("reading"))
	if err != nil {
		number = 0 // the use case says what is wrong with it
	}
	c := app.ChooseCandidateReading{ID: curlew.CandidateID(v.PathValue("id")), Reading: number, Kind: v.text("kind"),
		Fields: map[string]string{}}
	for i, was := range v.PostForm["was"] {
		if names := v.PostForm["name"]; i < len(names) && names[i] != was {
			c.Fields[was] = strings.TrimSpace(names[i])
		}
	}
	_, err = v.app.ChooseCandidateReading(ctx, v.who, c)
	return "/candidates/" + string(c.ID) + "?done=" + string(app.Approve), err
}

func decide(verdict app.CandidateDecision) func(context.Context, *visit) (string, error) {
	return func(ctx context.Context, v *visit) (string, error) {
		c := app.DecideCandidate{ID: curlew.CandidateID(v.PathValue("id")), Decision: verdict, Why: v.text("why")}
		_, err := v.app.DecideCandidate(ctx, v.who, c)
		return "/candidates/" + string(c.ID) + "?done=" + string(verdict), err
	}
}
