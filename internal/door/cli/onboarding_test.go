package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/data/store"
	"github.com/curlew-data/curlew/internal/learn/quality"
)

// says runs a command for people and looks for words in what it says.
func (r *reader) says(words []string, args ...string) string {
	r.Helper()
	code, out, complaint := r.curlew(r.Context(), args...)
	for _, w := range words {
		if code != exitDone || !strings.Contains(out, w) {
			r.Errorf("curlew %s: exit %d, without %q:\n%s%s", strings.Join(args, " "), code, w, out, complaint)
		}
	}
	return out
}

// TestFromAnAddressToAHealedSource is docs/onboarding.md as a program: a site is taken in
// from its address, looked at, steered, redesigned, healed and rolled back.
func TestFromAnAddressToAHealedSource(t *testing.T) {
	r := newReader(t)
	r.refused(exitFailed, "no Curlew installation in", "add", r.site("shop"))
	out := r.says([]string{"analyzing", "feasible: feasibility", "attempt 1", "deploy: the quality is", "is deployed on probation", "62 active"},
		"add", r.site("shop"), "--wait", "--delay", "0s", "--name", "Bicycles", "--instructions", "products, Dutch language", "--priority", "high")
	var candidates []curlew.Candidate
	r.must(&candidates, "candidates", "list", "--status", "deployed")
	if len(candidates) != 1 || candidates[0].Name != "Bicycles" || candidates[0].Priority != curlew.PriorityHigh || !strings.Contains(out, string(candidates[0].ID)) {
		t.Fatalf("the candidates are %+v", candidates)
	}
	id, source := string(candidates[0].ID), string(candidates[0].Source)
	r.says([]string{"is watched already, by wat_", "See it: curlew sources show " + source}, "add", r.site("shop"), "--wait", "--delay", "0s")
	r.says([]string{"deployed", "products, Dutch language", "pending analysis", "Feasibility report", "Attempt 1", "the judge: passed"}, "candidates", "show", id)
	r.says([]string{"Bicycles", "Composite score", "█", "Trend:"}, "score", source)
	r.says([]string{"AT", "█"}, "score", source, "--history")
	r.says([]string{"probation", "62 active", "BLUEPRINT"}, "sources", "show", source)
	r.refused(exitFailed, "cannot go from deployed to rejected", "candidates", "reject", id, "--why", "too late")
	r.refused(exitRefused, "only one that was tested", "candidates", "approve", id)
	r.refused(exitUsage, "--why", "candidates", "reject", id)
	var runs []curlew.Run
	r.must(&runs, "runs", "list", "--kind", "watch")
	r.says([]string{"published: the first publication, with 62"}, "runs", "log", string(runs[len(runs)-1].ID))
	r.says([]string{"is trusted"}, "sources", "promote", source)
	r.says([]string{"is paused"}, "sources", "pause", source)
	r.says([]string{"probation again"}, "sources", "resume", source)
	r.refused(exitRefused, "has no other version than", "sources", "rollback", source)
	r.healed(source)
	r.says([]string{"Back from version"}, "sources", "rollback", source)
	r.says([]string{"$0.0000 in 0 calls", "No model is configured"}, "usage")
	r.refused(exitUsage, "write it as", "usage", "--month", "May")
	if out := r.must(nil, "fsck"); !strings.Contains(out, "All invariants hold") {
		t.Error(out)
	}
}

// healed redesigns the shop and looks until it is healed.
func (r *reader) healed(source string) {
	r.Helper()
	var watches []curlew.Watch
	r.must(&watches, "watches", "list", "--source", source)
	var heals []curlew.Heal
	for n := 0; n < 8 && len(heals) == 0; n++ {
		if n%2 == 0 {
			if err := r.web.Redesign("shop"); err != nil {
				r.Fatal(err)
			}
		}
		r.curlew(r.Context(), "watches", "trigger", string(watches[0].ID), "--wait") // the first look after a redesign fails
		r.must(&heals, "heals", "list", "--source", source, "--outcome", "healed")
	}
	if len(heals) == 0 {
		r.Fatal("no redesign had to be healed")
	}
	run := string(heals[0].Run)
	r.says([]string{"Timeline", "the blueprint no longer fits", "✓", "proved by the page's HTML", "Proof", "What is read differently", "The page before and after", "│"}, "heals", "show", run)
	r.says([]string{run, "healed"}, "heals", "list")
	r.says([]string{run}, "sources", "show", source)
}

// What cannot be read is rejected in a sentence, with the exit code of it; what is not
// sure, or good where a person wants to decide, waits for one.
func TestCandidatesAreRejectedReviewedAndApproved(t *testing.T) {
	r := newReader(t)
	r.refused(exitUsage, "is not an address", "add", "nonsense", "--wait")
	r.refused(exitUsage, "--name names one source", "add", r.site("blog"), r.site("ngo"), "--name", "x")
	r.refused(exitUsage, "--delay: it must be from 0s to 1h", "add", r.site("blog"), "--wait", "--delay", "5h")
	r.refused(exitUnfit, "is rejected: feasibility 0: The page could not be read", "add", r.site("trap")+"/nowhere", "--wait", "--delay", "0s")
	r.says([]string{"is deployed on probation"}, "add", r.site("trap"), "--wait", "--delay", "0s") // its first page
	r.says([]string{"It waits for a person to choose", "product", "candidates choose"}, "add", r.pages(map[string]string{"/": lunches()}), "--wait", "--delay", "0s")
	r.says([]string{"It waits for a person"}, "add", r.site("ngo"), "--wait", "--delay", "0s", "--no-auto-deploy")
	var waiting []curlew.Candidate
	r.must(&waiting, "candidates", "list", "--review")
	if len(waiting) != 2 || waiting[0].Status != curlew.CandidateTesting || waiting[1].Source != "" {
		t.Fatalf("these wait: %+v", waiting)
	}
	r.refused(exitRefused, "choose a number from 1 to", "candidates", "choose", string(waiting[0].ID), "5")
	var chosen curlew.Candidate
	r.must(&chosen, "candidates", "choose", string(waiting[0].ID), "1")
	if chosen.Status != curlew.CandidateDeployed || chosen.Review || chosen.Source == "" {
		t.Errorf("chosen, it is %+v", chosen)
	}
	id := string(waiting[1].ID)
	var approved curlew.Candidate
	r.must(&approved, "candidates", "approve", id)
	if approved.Status != curlew.CandidateDeployed || approved.Review {
		t.Errorf("approved, it is %+v", approved)
	}
	var shown struct {
		Moves []store.CandidateTransition
	}
	r.must(&shown, "candidates", "show", id)
	if n := len(shown.Moves); n != 5 || !strings.HasPrefix(shown.Moves[4].Why, "approved by") {
		t.Errorf("its moves are %+v", shown.Moves)
	}
	var added []addResult
	r.must(&added, "add", "http://127.0.0.1:1/", "--priority", "low")
	if len(added) != 1 || added[0].Candidate.Status != curlew.CandidatePending {
		t.Fatalf("added %+v", added)
	}
	var rejected curlew.Candidate
	r.must(&rejected, "candidates", "reject", string(added[0].Candidate.ID), "--why", "nobody is there")
	if rejected.Status != curlew.CandidateRejected {
		t.Errorf("rejected, it is %s", rejected.Status)
	}
	var retried curlew.Candidate
	r.must(&retried, "candidates", "retry", string(added[0].Candidate.ID))
	if retried.Status != curlew.CandidatePending {
		t.Errorf("tried again, it is %s", retried.Status)
	}
}

// The sample web's own truth is the first truth set; a person's file is another.
func TestAuditsHoldSourcesAgainstTheTruth(t *testing.T) {
	r := newReader(t)
	r.refused(exitUsage, "needs --source and --truth", "audit")
	var sites []siteAudit
	code, out, complaint := r.curlewWith(t.Context(), []string{"CURLEW_FETCH_BROWSER=off"}, "audit", "--demo", "--site", "ngo", "--least", "99", "--json")
	if err := json.Unmarshal([]byte(out), &sites); code != 0 || err != nil || len(sites) != 1 || sites[0].Report.Accuracy < 99 || sites[0].Report.Matched != sites[0].Report.Rows {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	var added []addResult
	r.must(&added, "add", r.site("ngo"), "--wait", "--delay", "0s")
	truth, err := r.web.Truth("ngo")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "truth.jsonl")
	rows := []quality.TruthRow{{Schema: truth[0].Schema, URL: truth[0].URL, Fields: curlew.Values{"name": truth[0].Fields["name"]}},
		{Schema: truth[1].Schema, URL: truth[1].URL, Fields: curlew.Values{"name": truth[1].Fields["name"], "city": "Atlantis"}}}
	var lines []byte
	for _, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	if err := os.WriteFile(file, lines, 0o600); err != nil {
		t.Fatal(err)
	}
	source := string(added[0].Candidate.Source)
	r.says([]string{"80.0%", "4 of 5 values are right", "Atlantis", string(quality.ExpectationWasWrong)}, "audit", "--source", source, "--truth", file)
	r.refused(exitUnfit, "less than 90 %", "audit", "--source", source, "--truth", file, "--least", "90")
	r.refused(exitUsage, "no such file", "audit", "--source", source, "--truth", file+"x")
}

// lunches is a page of dishes under days, which may be things, products or events.
func lunches() string {
	page := `<html lang="en"><body><h1>Lunch from 16 to 20 November</h1><p>Daily from 11:30 to 14:00.</p>`
	for i, day := range []string{"Monday, 16 November", "Tuesday, 17 November", "Wednesday, 18 November", "Thursday, 19 November", "Friday, 20 November"} {
		page += fmt.Sprintf(`<p><strong>%s</strong></p><ul class="dish"><li>Soup %c with bread <span>7.%d0 €</span></li>`+
			`<li>Pasta %c, green salad <span>9.%d0 €</span></li></ul>`, day, 'A'+i, i, 'P'+i, i)
	}
	return page + `</body></html>`
}
