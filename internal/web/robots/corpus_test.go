package robots

import (
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/corpus"
)

// siteCase is the robots.txt of one site with decisions of Google's parser.
type siteCase struct {
	Domain  string   `json:"domain"`
	Body    string   `json:"body"`
	BodyB64 []byte   `json:"body_b64"`
	Checks  [][4]any `json:"checks"`
}

func (c siteCase) bytes() []byte {
	if c.BodyB64 != nil {
		return c.BodyB64
	}
	return []byte(c.Body)
}

func TestConformanceDecisions(t *testing.T) {
	path := corpus.Path(t, "robots", "dev", "robots-decisions.jsonl")
	agreed, asked := 0, 0
	corpus.EachRow(t, path, func(c siteCase) {
		file := Parse(c.bytes())
		for _, check := range c.Checks {
			url, agent, want := "https://"+c.Domain+check[0].(string), check[1].(string), check[2].(float64) == 1
			asked++
			if got := file.Allowed(agent, url); got.Allowed == want {
				agreed++
			} else if asked-agreed <= 10 {
				t.Errorf("%s for %s: %+v, Google says %v", url, agent, got, want)
			}
		}
	})
	t.Logf("robots: %d/%d decisions as Google's parser", agreed, asked)
	if agreed != asked || asked == 0 {
		t.Fail()
	}
}

func TestConformanceGoogleCases(t *testing.T) {
	path := corpus.Path(t, "robots", "google-unit-cases.jsonl")
	agreed, asked := 0, 0
	corpus.EachRow(t, path, func(c struct {
		Test, Robots, UA, URL string
		Allowed               bool
	}) {
		asked++
		if got := Parse(latin1(c.Robots)).Allowed(c.UA, string(latin1(c.URL))); got.Allowed == c.Allowed {
			agreed++
		} else {
			t.Errorf("%s: %q for %s under %q: %+v", c.Test, c.URL, c.UA, c.Robots, got)
		}
	})
	t.Logf("robots: %d/%d of Google's own cases", agreed, asked)
	if agreed != asked || asked == 0 {
		t.Fail()
	}
}

// latin1 undoes the dump's way of writing bytes as code points.
func latin1(text string) []byte {
	var b []byte
	for _, r := range text {
		b = append(b, byte(r))
	}
	return b
}
