package quality

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
)

var update = flag.Bool("update", false, "rewrite the expected files")

// concerts is a sample of good events.
func concerts() Sample {
	s := Sample{Schema: curlew.SchemaEvent, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Reachable: map[string]int{}}
	for _, x := range readRight(season[:5]) {
		f := x.Record.Fields
		f["venue_address"], f["city"], f["category"] = "Quay 7", "Galway", "Concert"
		f["description"] = strings.Repeat("An evening by the water. ", 4)
		s.Records = append(s.Records, x.Record)
		s.Reachable[f["url"].(string)] = 200
	}
	return s
}

func scoreOf(t *testing.T, c Scorecard, name DimensionName) Dimension {
	t.Helper()
	d, ok := c.Dimension(name)
	if !ok {
		t.Fatalf("there is no dimension %s", name)
	}
	return d
}

func TestTheWeightsAreThoseOfTheSpecification(t *testing.T) {
	want := map[DimensionName]int{Completeness: 25, DateAccuracy: 20, Geocoding: 15, CategoryTrust: 10, Collisions: 10, PerformerRate: 10, Richness: 5, URLValidity: 5}
	sum := 0
	for _, d := range Quality(concerts()).Dimensions {
		if d.Weight != want[d.Name] || d.Share != float64(d.Weight) {
			t.Errorf("%s weighs %d and decides %v%%, want %d", d.Name, d.Weight, d.Share, want[d.Name])
		}
		sum += d.Weight
	}
	if sum != 100 {
		t.Errorf("all weigh %d", sum)
	}
	for score, want := range map[int]Verdict{100: VerdictDeploy, 80: VerdictDeploy, 79: VerdictProbation, 60: VerdictProbation, 59: VerdictReview, 40: VerdictReview, 39: VerdictReject, 0: VerdictReject} {
		t.Run(fmt.Sprint(score), func(t *testing.T) {
			if got := verdictOf(score); got != want {
				t.Errorf("%d is %s, want %s", score, got, want)
			}
		})
	}
}

// Each row spoils good events in one way and says what that dimension then is.
func TestEachDimensionMeasuresItsOwnFault(t *testing.T) {
	all := func(change func(r *curlew.Record)) func(*Sample) {
		return func(s *Sample) {
			for i := range s.Records {
				change(&s.Records[i])
			}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(*Sample)
		in    DimensionName
		want  int
		says  string
	}{
		{"good", func(*Sample) {}, Completeness, 100, "all have title + starts_at + venue + url"},
		{"good", func(*Sample) {}, DateAccuracy, 100, "all dates were read"},
		{"good", func(*Sample) {}, Geocoding, 90, "nothing was geocoded"},
		{"good", func(*Sample) {}, CategoryTrust, 80, "5 by the page's own word"},
		{"good", func(*Sample) {}, Collisions, 100, "an id of its own"},
		{"good", func(*Sample) {}, PerformerRate, 100, "5 of 5"},
		{"good", func(*Sample) {}, Richness, 100, "5 of 5 have image_url"},
		{"good", func(*Sample) {}, URLValidity, 100, "5 of 5 addresses lead to a page"},
		{"no url", all(func(r *curlew.Record) { delete(r.Fields, "url"); r.URL = "" }), Completeness, 75, "missing: url in 5"},
		{"no title in one", func(s *Sample) { delete(s.Records[0].Fields, "title") }, Completeness, 80, "missing: title in 1"},
		{"invented venues", all(func(r *curlew.Record) {
			for _, f := range []string{"venue_name", "venue_address", "city"} {
				r.Provenance[f] = curlew.Evidence{Seen: curlew.SeenNowhere}
			}
		}), Completeness, 75, "missing: venue in 5"},
		{"days alone", all(func(r *curlew.Record) { r.Fields["starts_at"] = r.Fields["starts_at"].(string)[:10] }), DateAccuracy, 60, "5 without a time of day"},
		{"whole days", all(func(r *curlew.Record) {
			r.Fields["starts_at"], r.Fields["all_day"] = r.Fields["starts_at"].(string)[:10], true
		}), DateAccuracy, 100, "all dates"},
		{"noon", all(func(r *curlew.Record) { r.Fields["starts_at"] = r.Fields["starts_at"].(string)[:10] + "T12:00:00Z" }), DateAccuracy, 20, "is probably a guess"},
		{"far away", all(func(r *curlew.Record) { r.Fields["starts_at"] = "1970-01-01T00:00:01Z" }), DateAccuracy, 0, "more than 15 years away"},
		{"names alone", all(func(r *curlew.Record) { delete(r.Fields, "city"); delete(r.Fields, "venue_address") }), Geocoding, 30, "5 with a name alone"},
		{"coordinates", all(func(r *curlew.Record) { r.Fields["latitude"], r.Fields["longitude"] = 53.2, -9.0 }), Geocoding, 100, "5 with coordinates"},
		{"no category", func(s *Sample) { all(func(r *curlew.Record) { delete(r.Fields, "category") })(s) }, CategoryTrust, 0, "5 unknown"},
		{"an unsure classifier", func(s *Sample) {
			all(func(r *curlew.Record) {
				r.Provenance["category"] = curlew.Evidence{Rule: "classifier", Confidence: 0.4}
			})(s)
		}, CategoryTrust, 40, "5 unknown or unsure"},
		{"one id for all", all(func(r *curlew.Record) { r.ExternalID = "1" }), Collisions, 20, "4 sharing an id"},
		{"one thing twice", func(s *Sample) { s.Records[1].Fields = s.Records[0].Fields }, Collisions, 80, "1 equal to another in title and time"},
		{"half a line-up", func(s *Sample) { delete(s.Records[0].Fields, "performers") }, PerformerRate, 80, "4 of 5"},
		{"short descriptions", all(func(r *curlew.Record) { r.Fields["description"] = "Come!" }), Richness, 50, "0 of 5 have description"},
		{"dead links", func(s *Sample) { s.Reachable[s.Records[0].URL] = 404 }, URLValidity, 80, "1 answering 404"},
		{"nobody asked", func(s *Sample) { s.Reachable = nil }, URLValidity, 100, "0 of them were asked for"},
		{"no address at all", func(s *Sample) { s.Records[0].Fields["url"] = "javascript:void(0)" }, URLValidity, 80, "1 no web address at all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := concerts()
			c.spoil(&s)
			if d := scoreOf(t, Quality(s), c.in); d.Score != c.want || !strings.Contains(d.Sentence, c.says) {
				t.Errorf("%s: %s is %d: %s; want %d: %s", c.name, c.in, d.Score, d.Sentence, c.want, c.says)
			}
		})
	}
}

func TestDimensionsThatDoNotApplyLeaveTheirWeight(t *testing.T) {
	product := curlew.Record{Schema: curlew.SchemaProduct, ExternalID: "1", URL: "https://shop.example/1", Fields: curlew.Values{
		"name": "Kettle", "price": int64(2999), "currency": "EUR", "url": "https://shop.example/1"}}
	c := Quality(Sample{Schema: curlew.SchemaProduct, Records: []curlew.Record{product}})
	sum := 0.0
	for _, d := range c.Dimensions {
		sum += d.Share
		if want := d.Name == Completeness || d.Name == Collisions || d.Name == Richness || d.Name == URLValidity; d.Applies != want || d.Sentence == "" {
			t.Errorf("%s applies: %v (%s)", d.Name, d.Applies, d.Sentence)
		}
	}
	if sum < 99.8 || sum > 100.2 || c.Score != 89 || c.Verdict != VerdictDeploy { // (25+10+0+5)/45
		t.Errorf("shares %v, score %d, %s", sum, c.Score, c.Verdict)
	}
	custom := Quality(Sample{Schema: "custom", Records: []curlew.Record{{ExternalID: "1", Fields: curlew.Values{"a": "x", "b": "y"}}, {ExternalID: "2", Fields: curlew.Values{"a": "z"}}}})
	if d := scoreOf(t, custom, Completeness); d.Score != 75 || d.Sentence != "1 of 2 have a + b; missing: b in 1" {
		t.Errorf("a schema of one's own: %+v", d)
	}
	kind := &curlew.Schema{Name: "custom", Fields: []curlew.Field{{Name: "a", Type: curlew.TypeText}, {Name: "fee", Type: curlew.TypeMoney}, {Name: "currency"}}}
	custom = Quality(Sample{Schema: "custom", Records: []curlew.Record{{ExternalID: "1", Own: kind, Fields: curlew.Values{"a": "x"}}}})
	if d := scoreOf(t, custom, Completeness); d.Score != 50 || d.Sentence != "0 of 1 have a + fee; missing: fee in 1" {
		t.Errorf("a field of one's own that no record has: %+v", d)
	}
}

func TestNothingReadIsRejected(t *testing.T) {
	c := Quality(Sample{Schema: curlew.SchemaEvent})
	if c.Score != 0 || c.Verdict != VerdictReject || len(c.Dimensions) != 8 || !strings.HasPrefix(c.Reason, "Nothing was read") {
		t.Errorf("card %+v", c)
	}
}

func TestTheJudgeCanHoldBackAHighScore(t *testing.T) {
	card := Quality(concerts())
	if card.Verdict != VerdictDeploy {
		t.Fatalf("scored %d", card.Score)
	}
	bad := Judge(t.Context(), each(readRight(season), func(_ int, f curlew.Values) { f["price_min"] = int64(800) }), march())
	if held := card.With(bad); held.Verdict != VerdictReview || !strings.Contains(held.Reason, "the judge objects") {
		t.Errorf("held back as %s: %s", held.Verdict, held.Reason)
	}
	if passed := card.With(Judge(t.Context(), readRight(season), march())); passed.Verdict != VerdictDeploy {
		t.Errorf("passed as %s", passed.Verdict)
	}
}

// The scorecard as people see it; -update rewrites the file.
func TestTheScorecardReadsLikeTheScreen(t *testing.T) {
	s := concerts()
	s.Reachable[s.Records[1].URL] = 404
	delete(s.Records[2].Fields, "city")
	delete(s.Records[2].Fields, "venue_address")
	delete(s.Records[4].Fields, "image_url")
	sample := readRight(season)
	sample[0].Record.Fields["title"] = "Evil \x1b[31m\u202e title"
	card := Quality(s).With(Judge(t.Context(), sample, march()))
	card.Source, card.At, card.Attempt, card.Attempts = "quay.example", s.Now, 1, 5
	text := card.Text(78)
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("control characters of a page reach the terminal")
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 78 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	golden(t, "testdata/scorecard.txt", text)
	var back Scorecard
	raw, err := json.Marshal(card)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &back); err != nil || back.Score != card.Score || len(back.Dimensions) != 8 || back.Judgement.Accuracy != card.Judgement.Accuracy {
		t.Errorf("through JSON: %v, %+v", err, back)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed; it is now\n%s", file, got)
	}
}

func TestMoreThanTwentyPointsPause(t *testing.T) {
	card := func(score, dates int) Scorecard {
		return Scorecard{Score: score, Dimensions: []Dimension{{Name: DateAccuracy, Applies: true, Score: dates}}}
	}
	for _, c := range []struct {
		before, after []Scorecard
		points        int
		says          string
		paused        bool
	}{
		{nil, []Scorecard{card(10, 10)}, 0, "", false},
		{[]Scorecard{card(80, 100)}, nil, 0, "", false},
		{[]Scorecard{card(80, 90)}, []Scorecard{card(85, 95)}, 0, "", false},
		{[]Scorecard{card(82, 100)}, []Scorecard{card(62, 20)}, 20, "fell from 82 to 62: date accuracy from 100 to 20", false},
		{[]Scorecard{card(82, 100)}, []Scorecard{card(61, 20)}, 21, "so the source is paused", true},
		{[]Scorecard{card(82, 100), card(81, 100), card(83, 100)}, []Scorecard{card(82, 100), card(30, 0), card(81, 100)}, 1, "", false},
	} {
		t.Run(c.says, func(t *testing.T) {
			points, why := Drop(c.before, c.after)
			if points != c.points || !strings.Contains(why, c.says) || strings.Contains(why, "paused") != c.paused {
				t.Errorf("%d points: %s; want %d: %s", points, why, c.points, c.says)
			}
		})
	}
}
