package quality

import (
	"fmt"
	"math"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// Sample is what a source is judged by: records as they were read, and what the
// caller found out about them.
type Sample struct {
	Schema    curlew.SchemaName
	Records   []curlew.Record // normalised, with provenance
	Reachable map[string]int  // the status that each address answered with, 0 for none; nil when nobody asked
	Now       time.Time       // zero: nobody says what year it is
}

// Verdict is what a quality score means for a source.
type Verdict string

const (
	VerdictDeploy    Verdict = "deploy"
	VerdictProbation Verdict = "probation"
	VerdictReview    Verdict = "review"
	VerdictReject    Verdict = "reject"
)

// Deploys says whether a source may go live without a person's word.
func (v Verdict) Deploys() bool { return v == VerdictDeploy || v == VerdictProbation }

// The thresholds of the verdicts, from the specification. They stand nowhere else.
const (
	deployFrom    = 80
	probationFrom = 60
	reviewFrom    = 40
)

func verdictOf(score int) Verdict {
	switch {
	case score >= deployFrom:
		return VerdictDeploy
	case score >= probationFrom:
		return VerdictProbation
	case score >= reviewFrom:
		return VerdictReview
	}
	return VerdictReject
}

// meaning says a verdict in words.
var meaning = map[Verdict]string{
	VerdictDeploy:    "good enough to be deployed",
	VerdictProbation: "good enough to be deployed on probation",
	VerdictReview:    "a person should check it",
	VerdictReject:    "poor: a person should check it",
}

// DimensionName names one of the eight things that are measured.
type DimensionName string

const (
	Completeness  DimensionName = "completeness"
	DateAccuracy  DimensionName = "date_accuracy"
	Geocoding     DimensionName = "venue_geocoding"
	CategoryTrust DimensionName = "category_confidence"
	Collisions    DimensionName = "dedup_collision"
	PerformerRate DimensionName = "performers"
	Richness      DimensionName = "richness"
	URLValidity   DimensionName = "url_validity"
)

// Dimension is one of the things that are measured.
type Dimension struct {
	Name     DimensionName `json:"name"`
	Title    string        `json:"title"`
	Weight   int           `json:"weight"`  // of 100, when all dimensions apply
	Share    float64       `json:"share"`   // the part of the score that it decides in percent; 0 when it does not apply
	Applies  bool          `json:"applies"` // false: left out, and the others weigh more
	Score    int           `json:"score"`   // 0 to 100
	Good     int           `json:"good"`    // records that are as they should be
	Of       int           `json:"of"`      // records that were measured
	Sentence string        `json:"sentence"`
	Examples []string      `json:"examples,omitempty"`
}

// Scorecard is the quality of what was read, and what it means.
type Scorecard struct {
	Source     string            `json:"source,omitempty"` // for the caller to fill in, like the three after it
	At         time.Time         `json:"at,omitzero"`
	Attempt    int               `json:"attempt,omitempty"`
	Attempts   int               `json:"attempts,omitempty"` // at most
	Schema     curlew.SchemaName `json:"schema"`
	Sample     int               `json:"sample"` // records that were looked at
	Score      int               `json:"score"`  // 0 to 100
	Verdict    Verdict           `json:"verdict"`
	Reason     string            `json:"reason"`
	Dimensions []Dimension       `json:"dimensions"`
	Judgement  *Judgement        `json:"judgement,omitempty"`
}

// measure is how one dimension is measured.
type measure struct {
	name   DimensionName
	title  string
	weight int
	of     func(Sample) outcome
}

// outcome is what a measure found.
type outcome struct {
	applies  bool
	score    float64 // 0 to 1
	good, of int
	sentence string
	examples []string
}

// measures are the dimensions with their weights, from the specification.
func measures() []measure {
	return []measure{
		{Completeness, "Completeness", 25, completeness},
		{DateAccuracy, "Date accuracy", 20, dateAccuracy},
		{Geocoding, "Venue geocoding", 15, geocoding},
		{CategoryTrust, "Category confidence", 10, categoryTrust},
		{Collisions, "Dedup collisions", 10, collisions},
		{PerformerRate, "Performers", 10, performers},
		{Richness, "Richness", 5, richness},
		{URLValidity, "URL validity", 5, urlValidity},
	}
}

// Quality measures a sample. Dimensions that do not apply to the schema, or to
// what a source is about, leave their weight to the others.
func Quality(s Sample) Scorecard {
	card := Scorecard{Schema: s.Schema, Sample: len(s.Records)}
	sum, weights := 0.0, 0
	for _, m := range measures() {
		d := Dimension{Name: m.name, Title: m.title, Weight: m.weight}
		if len(s.Records) == 0 {
			d.Sentence = "nothing was read"
		} else {
			o := m.of(s)
			d.Applies, d.Good, d.Of, d.Sentence, d.Examples = o.applies, o.good, o.of, o.sentence, o.examples
			if o.applies {
				d.Score = int(math.Round(100 * min(1, max(0, o.score))))
				sum, weights = sum+float64(m.weight)*float64(d.Score), weights+m.weight
			}
		}
		card.Dimensions = append(card.Dimensions, d)
	}
	if weights > 0 {
		card.Score = int(math.Round(sum / float64(weights)))
	}
	for i := range card.Dimensions {
		if d := &card.Dimensions[i]; d.Applies {
			d.Share = math.Round(1000*float64(d.Weight)/float64(weights)) / 10
		}
	}
	card.Verdict = verdictOf(card.Score)
	card.Reason = card.why()
	return card
}

// smallSample is below which a score says little.
const smallSample = 3

func (c Scorecard) why() string {
	if c.Sample == 0 {
		return "Nothing was read, so there is nothing to deploy."
	}
	text := fmt.Sprintf("%d of 100 over %s: %s.", c.Score, text.Plural(c.Sample, "record", "records"), meaning[c.Verdict])
	if c.Sample < smallSample {
		text += " So few records say little."
	}
	if worst := c.costliest(); worst != nil && c.Score < 100 {
		text += fmt.Sprintf(" Most was lost in %s: %s.", lowerFirst(worst.Title), worst.Sentence)
	}
	return text
}

// costliest is the dimension that took the most points.
func (c Scorecard) costliest() *Dimension {
	var worst *Dimension
	lost := 0.0
	for i := range c.Dimensions {
		d := &c.Dimensions[i]
		if loss := d.Share * float64(100-d.Score); d.Applies && loss > lost {
			worst, lost = d, loss
		}
	}
	return worst
}

// With adds what the judge said. A score counts what is there; only the judge
// knows whether it is right, so a source that failed before it goes to a person,
// however high its score.
func (c Scorecard) With(j Judgement) Scorecard {
	c.Judgement = &j
	if !j.Passed && c.Verdict.Deploys() {
		c.Verdict = VerdictReview
		c.Reason += " But the judge objects: " + j.Sentence
	}
	return c
}

// Reserved leaves to a person what would be deployed otherwise.
func (c Scorecard) Reserved(why string) Scorecard {
	if c.Verdict.Deploys() {
		c.Verdict = VerdictReview
		c.Reason += " " + why
	}
	return c
}

// Dimension finds a dimension by name.
func (c Scorecard) Dimension(name DimensionName) (Dimension, bool) {
	for _, d := range c.Dimensions {
		if d.Name == name {
			return d, true
		}
	}
	return Dimension{}, false
}
