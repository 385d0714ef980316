package cli

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/web/llm/llmtest"
)

// pupil is a person whose installation has a model, which gives the one answer.
func pupil(t *testing.T, more ...string) (run func(args ...string) (int, string, string), site func() string, server *llmtest.Server) {
	t.Helper()
	r := newReader(t)
	server = llmtest.Serve(t, llmtest.Fenced(llmtest.SparseRules), llmtest.Fenced(llmtest.SparseRules), llmtest.Fenced(llmtest.SparseRules))
	ports := r.ports + "," + portOf(server.URL)
	site = func() string {
		page := httptest.NewServer(http.HandlerFunc(llmtest.Sparse))
		t.Cleanup(page.Close)
		ports += "," + portOf(page.URL)
		return page.URL + "/"
	}
	run = func(args ...string) (int, string, string) {
		return r.curlewWith(t.Context(), append([]string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + ports, "CURLEW_FETCH_BROWSER=off", "CURLEW_LLM_PROVIDER=openai",
			"CURLEW_LLM_MODEL=stub", "CURLEW_LLM_KEY=sk-very-secret-key", "CURLEW_LLM_URL=" + server.URL, "CURLEW_LLM_INPUT_PRICE=2.50", "CURLEW_LLM_OUTPUT_PRICE=10"}, more...), args...)
	}
	return run, site, server
}

func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u.Port()
}

// Where nothing else passes, the model of the installation is asked, and what that cost is
// kept.
func TestOnboardingAsksTheModelAndKeepsWhatItCost(t *testing.T) {
	run, site, _ := pupil(t)
	code, out, complaint := run("add", site(), "--wait", "--delay", "0s")
	if code != exitDone || !strings.Contains(out, "written by a model") || !strings.Contains(out, "is deployed on probation: 8 active") {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	code, out, complaint = run("usage", "--json")
	var report app.MonthCosts
	if err := json.Unmarshal([]byte(out), &report); code != exitDone || err != nil || report.Calls != 2 || report.Cost == 0 || len(report.Costs) != 2 ||
		!slices.ContainsFunc(report.Costs, func(c app.NamedCost) bool { return c.Purpose == curlew.PurposeLearn && c.Calls == 1 }) ||
		!slices.ContainsFunc(report.Costs, func(c app.NamedCost) bool { return c.Purpose == curlew.PurposeJudge && c.Calls == 1 }) {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	if code, out, _ = run("usage"); code != exitDone || !strings.Contains(out, "in 2 calls") || !strings.Contains(out, "learn") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// When the budget of the month does not cover an answer, none is asked for, and the site
// is read as it would be without a model.
func TestTheBudgetOfTheMonthStopsAskingNotOnboarding(t *testing.T) {
	run, site, server := pupil(t, "CURLEW_LLM_MONTH_BUDGET=0.0001")
	code, out, complaint := run("add", site(), "--wait", "--delay", "0s")
	if code != exitDone || !strings.Contains(out, "is deployed on probation: 8 active") || !strings.Contains(out, "of $0.0001 allowed, $0.0000 are spent") {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	if calls := server.Calls(); len(calls) != 0 {
		t.Errorf("it was asked %d times", len(calls))
	}
}

func TestABudgetNeedsPrices(t *testing.T) {
	run, site, _ := pupil(t, "CURLEW_LLM_MONTH_BUDGET=5", "CURLEW_LLM_INPUT_PRICE=0")
	if code, _, complaint := run("add", site(), "--wait"); code != exitUsage || !strings.Contains(complaint, "llm.month_budget is $5") {
		t.Errorf("exit %d: %s", code, complaint)
	}
}

// What nothing else reads, the model reads at each check, on the account of its source.
func TestAModelReadsAPageOfANamedKind(t *testing.T) {
	r := newReader(t)
	server := llmtest.Serve(t, func(w http.ResponseWriter, req *http.Request, call llmtest.ReceivedCall) {
		answer := "I do not know."
		if strings.HasPrefix(call.System, "You read web pages") {
			answer = `{"records": [{"title": "Head Miller", "location": "Gdynia"}, {"title": "Rope Maker", "location": "Hel"}, {"title": "Chief Liar"}]}`
		}
		llmtest.Says(answer)(w, req, call)
	})
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/" {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<html lang="en"><body><p>We look for a Head Miller in Gdynia who knows the stones, and for a Rope Maker in Hel.</p></body></html>`))
	}))
	t.Cleanup(page.Close)
	environment := []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + r.ports + "," + portOf(server.URL) + "," + portOf(page.URL),
		"CURLEW_FETCH_BROWSER=off"}
	model := append([]string{"CURLEW_LLM_PROVIDER=openai", "CURLEW_LLM_MODEL=stub", "CURLEW_LLM_KEY=k", "CURLEW_LLM_URL=" + server.URL}, environment...)
	code, out, complaint := r.curlewWith(t.Context(), model, "add", page.URL, "--kind", "job", "--wait", "--delay", "0s")
	if code != exitDone || !strings.Contains(out, "a model was asked to read the page at each check") || !strings.Contains(out, "2 active") {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	if code, out, complaint = r.curlewWith(t.Context(), model, "usage", "--json"); code != exitDone || !strings.Contains(out, `"read"`) {
		t.Errorf("exit %d: %s%s", code, out, complaint)
	}
}

// The fields of a kind that is made from a list get names that say what they are.
func TestAModelNamesTheFieldsOfAKind(t *testing.T) {
	r := newReader(t)
	var named string
	server := llmtest.Serve(t, func(w http.ResponseWriter, req *http.Request, call llmtest.ReceivedCall) {
		answer := "I do not know."
		for line := range strings.SplitSeq(call.Last(), "\n") {
			var column struct {
				Name   string
				Values []string
			}
			if json.Unmarshal([]byte(line), &column) == nil && slices.Contains(column.Values, "Ada Homes") {
				named, answer = column.Name, `{"names": {"`+column.Name+`": "landlord"}}`
			}
		}
		llmtest.Says(answer)(w, req, call)
	})
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != "/" {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<html lang="en"><body><ul>`))
		for i, who := range []string{"Ada Homes", "Quay Lets", "Mill Rooms", "Bay Flats", "Port Stays"} {
			_, _ = w.Write([]byte(`<li><a href="/h/` + who[:3] + `"><h3>House ` + string(rune('A'+i)) + `</h3></a><em class="x">` + who + `</em><b class="y">` + string(rune('3'+i)) + ` rooms</b></li>`))
		}
		_, _ = w.Write([]byte(`</ul></body></html>`))
	}))
	t.Cleanup(page.Close)
	environment := []string{"CURLEW_EGRESS_ALLOW=127.0.0.0/8", "CURLEW_EGRESS_PORTS=" + r.ports + "," + portOf(server.URL) + "," + portOf(page.URL),
		"CURLEW_FETCH_BROWSER=off", "CURLEW_LLM_PROVIDER=openai", "CURLEW_LLM_MODEL=stub", "CURLEW_LLM_KEY=k", "CURLEW_LLM_URL=" + server.URL}
	code, out, complaint := r.curlewWith(t.Context(), environment, "watches", "add", page.URL, "--schema", "item", "--delay", "0s")
	watch := regexp.MustCompile(`wat_[a-z0-9]+`).FindString(out)
	if code != exitDone || watch == "" {
		t.Fatalf("exit %d: %s%s", code, out, complaint)
	}
	code, out, complaint = r.curlewWith(t.Context(), environment, "kinds", "add", "home", "--from", watch)
	if code != exitDone || named == "" || !strings.Contains(out, "landlord") || !strings.Contains(out, named) {
		t.Errorf("exit %d, %q: %s%s", code, named, out, complaint)
	}
}
