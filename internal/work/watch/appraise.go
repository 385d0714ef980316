package watch

import (
	"encoding/json"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/quality"
)

// Appraisal is how good one check was.
type Appraisal struct {
	Score int
	Card  json.RawMessage
	Good  bool   // as good as a source that is deployed without reserve
	Drop  int    // points that it fell, when that is more than a source may
	Why   string // it fell
}

// Appraise measures the records of one check and compares them with earlier scores,
// newest first. The scores of the sample that it was deployed with count like any other.
func Appraise(schema curlew.SchemaName, records []curlew.Record, earlier []curlew.Scorecard, now time.Time) Appraisal {
	is := quality.Quality(quality.Sample{Schema: schema, Records: records, Now: now})
	is.At = now
	out := Appraisal{Score: is.Score, Good: is.Verdict == quality.VerdictDeploy}
	var before []quality.Scorecard
	for _, e := range earlier {
		var was quality.Scorecard
		if json.Unmarshal(e.Card, &was) == nil && was.Schema == schema && was.Judgement == nil { // a tested sample is measured otherwise
			before = append(before, was)
		}
	}
	card, err := json.Marshal(is)
	if err != nil {
		return out
	}
	out.Card = card
	if fell, reason := quality.Drop(before, []quality.Scorecard{is}); fell > quality.PausePoints {
		out.Drop, out.Why = fell, reason
	}
	return out
}
