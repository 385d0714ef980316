package regions

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/testkit/corpus"
	"golang.org/x/net/html"
)

type listTruth struct {
	Page    string `json:"page"`
	Clean   bool   `json:"clean"`
	Records []struct {
		Text string `json:"text"`
	} `json:"records"`
}

const folds = 5

// judge tells which true records a record could be, each text read once.
type judge struct {
	truth []bag
	index map[string][]int // which true records have a word
	known map[*html.Node][]int
}

func newJudge(t listTruth) *judge {
	j := &judge{index: map[string][]int{}, known: map[*html.Node][]int{}}
	for i, r := range t.Records {
		b := bagOf(r.Text)
		j.truth = append(j.truth, b)
		for w := range b.words {
			j.index[w] = append(j.index[w], i)
		}
	}
	return j
}

func (j *judge) couldBe(nodes []*html.Node) []int {
	if len(nodes) == 1 {
		if found, ok := j.known[nodes[0]]; ok {
			return found
		}
	}
	b := bagOf(textOf(nodes))
	both := map[int]int{}
	for w, n := range b.words {
		for _, i := range j.index[w] {
			both[i] += min(n, j.truth[i].words[w])
		}
	}
	var found []int
	for i := range j.truth {
		if n := both[i]; n > 0 && float64(n) >= 0.8*float64(b.size+j.truth[i].size-n) {
			found = append(found, i)
		}
	}
	if len(nodes) == 1 {
		j.known[nodes[0]] = found
	}
	return found
}

// right is the F1 of a set of records.
func (j *judge) right(s *survey, runs []run) float64 {
	taken := make([]bool, len(j.truth))
	hits := 0
	for _, r := range runs {
		for _, i := range j.couldBe(s.nodes(r)) {
			if !taken[i] {
				taken[i] = true
				hits++
				break
			}
		}
	}
	return f1(hits, len(runs), len(j.truth))
}

func listExamples(t *testing.T) []example {
	root := filepath.Join(corpus.Path(t), "next-eval", "dev")
	var all []example
	for k, truth := range jsonLines[listTruth](t, filepath.Join(root, "truth.jsonl")) {
		body, err := os.ReadFile(filepath.Join(root, truth.Page))
		if err != nil {
			t.Fatal(err)
		}
		s := look(dom.New(body, "https://example.org/"))
		e := example{name: truth.Page, fold: k % folds, clean: truth.Clean, page: s, judge: newJudge(truth)}
		e.candidates = s.shortlisted(context.Background(), s.candidates(context.Background()))
		for i := range e.candidates {
			e.right = append(e.right, e.judge.right(s, e.candidates[i].runs))
		}
		all = append(all, e)
	}
	return all
}

// outcome is what a way of choosing gets on some pages.
type outcome struct{ clean, every []float64 }

func (o *outcome) add(p example, right float64) {
	o.every = append(o.every, right)
	if p.clean {
		o.clean = append(o.clean, right)
	}
}

// TestConformanceLists reports how good the ranking is on pages that it has not
// seen: weights and margin are fitted on four folds and tried on the fifth. The
// weights in use come from all pages, so their own figure says little.
func TestConformanceLists(t *testing.T) {
	pages := listExamples(t)
	var unseen, seen, ceiling outcome
	var means []float64
	for k := range folds {
		var train, test []example
		for _, p := range pages {
			if p.fold == k {
				test = append(test, p)
			} else {
				train = append(train, p)
			}
		}
		w := fit(train)
		m := bestMargin(train, &w)
		var fold outcome
		for _, p := range test {
			right := p.choice(&w, m)
			unseen.add(p, right)
			fold.add(p, right)
		}
		mean, _ := spread(fold.clean)
		means = append(means, mean)
		t.Logf("fold %d: clean %.3f of %d pages, margin %.1f", k+1, mean, len(fold.clean), m)
	}
	for _, p := range pages {
		seen.add(p, p.choice(&weights, margin))
		ceiling.add(p, slices.Max(p.right))
	}
	if *refit {
		printWeights(pages)
	}
	clean, _ := spread(unseen.clean)
	macro, _ := spread(unseen.every)
	_, deviation := spread(means)
	nowClean, _ := spread(seen.clean)
	nowMacro, _ := spread(seen.every)
	best, _ := spread(ceiling.clean)
	t.Logf("folds' deviation %.3f; in use: clean %.3f, macro %.3f; best single candidate: clean %.3f", deviation, nowClean, nowMacro, best)
	t.Logf("segment-lists-unseen: %d/1000 record F1 on clean pages of the fold left out", int(1000*clean))
	t.Logf("segment-lists-unseen-macro: %d/1000 record F1 on all pages of the fold left out", int(1000*macro))
	if clean < 0.93 || macro < 0.73 || nowClean < 0.94 {
		t.Error("lists are found less often than before")
	}
}

var refit = flag.Bool("refit", false, "print weights fitted on all pages")

// featureNames are the constants of the features in lower case.
var featureNames = [featureCount]string{
	"count", "length", "coherent", "uniform", "distinct", "rich", "images", "links", "leads", "numbers", "prices", "dates", "headings",
	"linked",
	"navigation", "aside", "central", "wraps", "part", "saved", "coverage", "regular", "alone", "grouped", "broken", "tiny", "unseen",
}

func printWeights(pages []example) {
	w := fit(pages)
	fmt.Print("var weights = Features{\n")
	for f, value := range w {
		name := featureNames[f]
		fmt.Printf("\t%s: %.2f,\n", strings.ToUpper(name[:1])+name[1:], value)
	}
	fmt.Printf("}\nmargin %.1f\n", bestMargin(pages, &w))
}
