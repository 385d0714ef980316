package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/change/publish"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/normalise"
	"github.com/curlew-data/curlew/internal/work/runs"
)

// notes are what reading the pages of a run brought up beside its records.
type readNotes struct {
	unknown  map[string]string          // words of closed sets that nobody knows, with the first page that has them
	lacks    []string                   // records that were left out, by their pages
	personal int                        // contacts of people that were taken out
	people   []curlew.PageID            // the pages that have them
	differ   map[curlew.PageID][]string // ids of the records that a page tells otherwise than before
}

func newReadNotes() readNotes {
	return readNotes{unknown: map[string]string{}, differ: map[curlew.PageID][]string{}}
}

// mostNotes bounds the lines of one kind in the log of a run.
const mostNotes = 10

// note keeps what reading a page brought up. A copy of an earlier run was remarked on then.
func (r *checkStep) note(page curlew.Page, readings []extract.ReadRecord) {
	if page.Run != r.run.ID {
		return
	}
	for _, reading := range readings {
		for _, n := range reading.Notes {
			switch n.Code {
			case normalise.PersonalData:
				r.notes.personal += n.Count
				r.notes.people = append(r.notes.people, page.ID)
			case normalise.UnknownChoice:
				if word := n.Field + ": " + n.Sentence; r.notes.unknown[word] == "" {
					r.notes.unknown[word] = page.URL
				}
			}
		}
	}
}

// incomplete notes a record without a field that its kind requires.
func (r *checkStep) incomplete(one Listed, record curlew.Record) {
	var lacks []string
	for _, name := range record.Kind().Required() {
		if record.Fields[name] == nil {
			lacks = append(lacks, name)
		}
	}
	r.notes.lacks = append(r.notes.lacks, fmt.Sprintf("%s: no match for %s, so that a record is left out: has the template changed?",
		cmp.Or(one.Record.URL, one.Page.URL), strings.Join(lacks, ", ")))
}

// dropsMore says that more records of a page lack what its blueprint requires than when it was read
// before; "" where that is not so.
func (r *checkStep) dropsMore(ctx context.Context, listPage ListPage) (string, error) {
	now := listPage.Applied.Dropped
	if now == 0 || listPage.Page.Run != r.run.ID {
		return "", nil
	}
	page, err := r.scope.Pages().Before(ctx, listPage.Page)
	if err != nil {
		return "", archivedOnly(err)
	}
	before, err := r.readPage(ctx, r.compiled, page)
	if err != nil || before.Applied.Fault != nil || now <= before.Applied.Dropped {
		return "", archivedOnly(err)
	}
	return fmt.Sprintf("%s: no match for a required field in %s, before in %d: has the template changed?", listPage.Page.URL,
		curlew.Counted(now, "record"), before.Applied.Dropped), nil
}

// logNotes tells what the pages of a run brought up.
func (r *checkStep) logNotes(step *runs.Step) {
	warnings := r.notes.lacks
	for _, word := range slices.Sorted(maps.Keys(r.notes.unknown)) {
		warnings = append(warnings, r.notes.unknown[word]+": unknown word in "+word)
	}
	for i, text := range warnings {
		if i == mostNotes {
			text = fmt.Sprintf("%d more warnings of this kind", len(warnings)-i)
		}
		if i <= mostNotes {
			step.Log = append(step.Log, curlew.LogLine{Level: curlew.LogWarn, Text: text})
		}
	}
	warn(step, len(warnings))
	if n := r.notes.personal; n > 0 {
		step.Counters[curlew.CountPersonal] += int64(n)
		step.Log = append(step.Log, runs.Info("%s of people were taken out before anything was kept", curlew.Counted(n, "contact")))
	}
}

// warn counts warnings; a run without one does not mention them.
func warn(step *runs.Step, n int) {
	if n > 0 {
		step.Counters[curlew.CountWarnings] += int64(n)
	}
}

// drift compares the HTML of every page with that of its last copy. One whose template has changed
// although its records have not is counted: that often comes before a break. The other way round,
// the reader is not to be trusted.
func (r *checkStep) drift(ctx context.Context, step *runs.Step, o publish.CheckResult, plan publish.ChangeSet) error {
	if r.readsText() || r.plan.Archive || r.watch.RulesHash != o.RulesHash { // of a page's text, all else is around it
		return nil
	}
	told := changedIn(plan)
	tasks := slices.Concat(r.progress.List, r.progress.Details)
	pages, err := r.pages(ctx, tasks)
	if err != nil {
		return err
	}
	for _, s := range tasks {
		same, known, err := r.sameHTML(ctx, s, pages[s.Page])
		if err != nil {
			return err
		}
		differ := r.notes.differ[s.Page]
		left := s.Of == "" && plan.Figures.Missing+plan.Figures.Disappeared > 0
		switch {
		case !known:
		case !same && len(differ) == 0 && !left && !told[s.Of]:
			step.Counters[countDrifted]++
			step.Log = append(step.Log, runs.Info("template drift: %s", s.URL))
		case same && slices.ContainsFunc(differ, func(id string) bool { return told[id] }):
			step.Log = append(step.Log, curlew.LogLine{Level: curlew.LogWarn,
				Text: fmt.Sprintf("%s: its HTML is as it was, but its record changed: check how it is read", s.URL)})
			warn(step, 1)
		}
	}
	return nil
}

// changedIn are the entities of which a change is told, be it by what the list says: the page may say it too.
func changedIn(plan publish.ChangeSet) map[string]bool {
	told := map[string]bool{}
	for _, u := range plan.Updated {
		told[u.Entity.ExternalID] = len(u.Changes) > 0
	}
	return told
}

// sameHTML says whether a page has the HTML of its last copy, and whether that is known.
func (r *checkStep) sameHTML(ctx context.Context, s pageTask, page curlew.Page) (same, known bool, err error) {
	if s.Outcome != curlew.OutcomeFetched || page.HTMLHash == "" {
		return false, false, nil
	}
	before, err := r.scope.Pages().Before(ctx, page)
	if errors.Is(err, curlew.ErrNotFound) {
		return false, false, nil
	}
	return before.HTMLHash == page.HTMLHash, before.HTMLHash != "", err
}
