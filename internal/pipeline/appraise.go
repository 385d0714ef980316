package pipeline

import (
	"encoding/json"
	"time"

	"curlew/internal/curlew"
	"curlew/internal/score"
)

// Appraise measures the records of one look and compares them with earlier scores,
// newest first. A drop is told when it is more than a source may fall; the scores of
// the sample that it was deployed with count like any other.
func Appraise(schema curlew.SchemaName, records []curlew.Record, earlier []curlew.Scorecard, now time.Time) (points int, card json.RawMessage, drop int, why string) {
	is := score.Quality(score.Sample{Schema: schema, Records: records, Now: now})
	is.At = now
	var before []score.Scorecard
	for _, e := range earlier {
		var was score.Scorecard
		if json.Unmarshal(e.Card, &was) == nil && was.Schema == schema && was.Judgement == nil { // a tested sample is measured otherwise
			before = append(before, was)
		}
	}
	if fell, reason := score.Drop(before, []score.Scorecard{is}); fell > score.PausePoints {
		drop, why = fell, reason
	}
	card, err := json.Marshal(is)
	if err != nil {
		return is.Score, nil, 0, ""
	}
	return is.Score, card, drop, why
}
