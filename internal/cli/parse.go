package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"curlew/internal/curlew"
	"curlew/internal/robots"
)

type parseCommand struct {
	Robots parseRobots `cmd:"" help:"Who may fetch what: {\"robots\", \"agent\", \"url\"} in, {\"allowed\"} out."`
}

type parseRobots struct{}

// Run reads JSON lines and answers each, in order.
func (parseRobots) Run(a *app) error {
	return eachLine(a, func(line []byte) (any, error) {
		var question struct{ Robots, Agent, URL string }
		if err := json.Unmarshal(line, &question); err != nil {
			return nil, err
		}
		verdict := robots.Parse([]byte(question.Robots)).Allowed(question.Agent, question.URL)
		return map[string]any{"allowed": verdict.Allowed, "line": verdict.Line, "rule": verdict.Rule}, nil
	})
}

// longestLine bounds a line of input: a robots.txt of half a megabyte, escaped.
const longestLine = 8 << 20

// eachLine answers JSON lines with JSON lines.
func eachLine(a *app, answer func([]byte) (any, error)) error {
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
			return exitError{curlew.Permanent("bad_line", "line %d of the input is not what is expected: %s", n, err), exitUsage}
		}
		if err := encoder.Encode(value); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
	}
	if err := in.Err(); err != nil && err != io.EOF {
		return exitError{curlew.Permanent("bad_line", "the input cannot be read: %s", err), exitUsage}
	}
	return out.Flush()
}
