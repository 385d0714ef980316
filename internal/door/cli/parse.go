package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
	"github.com/curlew-data/curlew/internal/web/robots"
)

type parseCommand struct {
	Date   parseDate   `cmd:"" help:"Dates: {\"text\", \"now\", \"lang\", \"timezone\", \"prefer\"} in, {\"value\", \"time_known\", \"end\", \"confidence\"} out."`
	Price  parsePrice  `cmd:"" help:"Prices: {\"text\", \"currency_hint\", \"lang\"} in, {\"amount\", \"currency\"} out."`
	Robots parseRobots `cmd:"" help:"robots.txt rules: {\"robots\", \"agent\", \"url\"} in, {\"allowed\"} out."`
}

type parseRobots struct{}

// Run reads JSON lines and answers each, in order.
func (parseRobots) Run(a *program) error {
	return eachLine(a, func(line []byte) (any, error) {
		var question struct{ Robots, Agent, URL string }
		if err := json.Unmarshal(line, &question); err != nil {
			return nil, err
		}
		verdict := robots.Parse([]byte(question.Robots)).Allowed(question.Agent, question.URL)
		return map[string]any{"allowed": verdict.Allowed, "line": verdict.Line, "rule": verdict.Rule}, nil
	})
}

type parseDate struct{}

// dateAnswer is a date as far as it is known; a text without one has no value.
type dateAnswer struct {
	Value      *string `json:"value"`
	TimeKnown  bool    `json:"time_known"`
	End        string  `json:"end,omitempty"`
	Recurrence string  `json:"recurrence,omitempty"`
	Confidence float64 `json:"confidence"`
}

// Run reads JSON lines and answers each, in order. A date without a year is the
// last such day, unless "prefer" is "future", as it is for events.
func (parseDate) Run(a *program) error {
	return eachLine(a, func(line []byte) (any, error) {
		var question struct{ Text, Now, Lang, Timezone, Prefer string }
		if err := json.Unmarshal(line, &question); err != nil {
			return nil, err
		}
		options := dates.Options{Lang: question.Lang, Now: time.Now(), Past: question.Prefer != "future"}
		if question.Now != "" {
			now, err := parseDay("now", question.Now)
			if err != nil {
				return nil, err
			}
			options.Now = now
		}
		if question.Timezone != "" {
			zone, err := zoneNamed(question.Timezone)
			if err != nil {
				return nil, err
			}
			options.Zone = zone
		}
		return answerDate(question.Text, options), nil
	})
}

func answerDate(text string, o dates.Options) dateAnswer {
	date, ok := dates.Parse(text, o)
	if !ok {
		return dateAnswer{}
	}
	value := dates.Format(date.Start, date.TimeKnown, date.ZoneKnown)
	answer := dateAnswer{Value: &value, TimeKnown: date.TimeKnown, Recurrence: date.Recurrence, Confidence: date.Confidence}
	if !date.End.IsZero() {
		answer.End = dates.Format(date.End, date.EndTime, date.ZoneKnown)
	}
	return answer
}

type parsePrice struct{}

// Run reads JSON lines and answers each, in order. The amount is a decimal
// number, written as it was counted.
func (parsePrice) Run(a *program) error {
	return eachLine(a, func(line []byte) (any, error) {
		var question struct {
			Text string  `json:"text"`
			Hint *string `json:"currency_hint"`
			Lang string  `json:"lang"`
		}
		if err := json.Unmarshal(line, &question); err != nil {
			return nil, err
		}
		hint := ""
		if question.Hint != nil {
			hint = *question.Hint
		}
		answer := map[string]any{"amount": nil, "currency": nil}
		price, ok := money.ParseIn(question.Text, hint, question.Lang)
		if ok && price.Amount != "" {
			answer["amount"] = json.Number(price.Amount)
		}
		if price.Currency != "" {
			answer["currency"] = price.Currency
		}
		return answer, nil
	})
}

// longestLine bounds a line of input: a robots.txt of half a megabyte, escaped.
const longestLine = 8 << 20

// eachLine answers JSON lines with JSON lines.
func eachLine(a *program, answer func([]byte) (any, error)) error {
	in := bufio.NewScanner(a.In)
	in.Buffer(make([]byte, 0, 64<<10), longestLine)
	out := bufio.NewWriter(a.Out)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		value, err := answer(in.Bytes())
		if err != nil {
			_ = out.Flush() // the lines before are answered
			return exitError{curlew.Permanent("bad_line", "line %d of the input is not what is expected: %s", n, text.JSONProblem(err)), exitUsage}
		}
		if err := encoder.Encode(value); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
	}
	if err := inputProblem(in); err != nil {
		return err
	}
	return out.Flush()
}
