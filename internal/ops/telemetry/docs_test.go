package telemetry

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/monitoring.md")

const (
	page      = "../../../docs/monitoring.md"
	rules     = "../../../docs/alerts.yaml"
	dashboard = "../../../docs/grafana/curlew.json"
	heading   = "| metric | type | labels | what it says |\n|---|---|---|---|\n"
)

func table(m *Metrics) string {
	var b strings.Builder
	b.WriteString(heading)
	for _, f := range m.Figures() {
		labels := ""
		if len(f.Labels) > 0 {
			labels = "`" + strings.Join(f.Labels, "` `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.Name, f.Type, labels, f.Help)
	}
	return b.String()
}

func TestTheDocumentationListsEveryFigure(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := table(New(Options{Now: gauges(nil)}))
	before, rest, _ := strings.Cut(string(text), heading)
	_, after, _ := strings.Cut(rest, "\n## Alerts")
	whole := before + want + "\n## Alerts" + after
	if *update {
		if err := os.WriteFile(page, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != whole {
		t.Errorf("%s is not true any more: go test ./internal/telemetry -run Documentation -update", page)
	}
}

// metricName finds our own metrics in expressions.
var metricName = regexp.MustCompile(`\b(?:crawler|scout|curlew)_[a-z_]+`)

func TestTheDashboardAndTheAlertsNameFiguresThatThereAre(t *testing.T) {
	known := map[string]bool{}
	for _, f := range New(Options{Now: gauges(nil)}).Figures() {
		known[f.Name] = true
		if f.Type == "histogram" {
			known[f.Name+"_bucket"], known[f.Name+"_count"], known[f.Name+"_sum"] = true, true, true
		}
	}
	text, err := os.ReadFile(dashboard)
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Templating struct{ List []struct{ Name, Type string } }
		Panels     []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil || len(board.Templating.List) != 1 || board.Templating.List[0].Type != "datasource" {
		t.Fatalf("%v %+v", err, board.Templating)
	}
	shown := map[string]bool{}
	seen := map[int]bool{}
	for _, p := range board.Panels {
		if seen[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		seen[p.ID] = true
		for _, target := range p.Targets {
			for _, name := range metricName.FindAllString(target.Expr, -1) {
				shown[strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count")] = true
				if !known[name] {
					t.Errorf("%s shows %s, which there is not", p.Title, name)
				}
			}
		}
	}
	for _, f := range New(Options{Now: gauges(nil)}).Figures() {
		if !shown[f.Name] {
			t.Errorf("the dashboard does not show %s", f.Name)
		}
	}
	alerts, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range regexp.MustCompile(`expr: .*`).FindAllString(string(alerts), -1) {
		for _, name := range metricName.FindAllString(rule, -1) {
			if !known[name] {
				t.Errorf("an alert is about %s, which there is not", name)
			}
		}
	}
}
