package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/curlew-data/curlew/internal/change/match"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// matchCommand judges pairs of records by match.Judge.
type matchCommand struct{}

// Help says what the flags do not.
func (matchCommand) Help() string {
	return `Reads JSON lines {"a": {...}, "b": {...}} from standard input, two records with fields of any
names, and prints {"same", "score", "why"} for each, in order. Fields that only one of the two has
count neither way. Words that few records of the input have count more, and a pair counts less
where one of its records fits another one better, so give the pairs of two sources together.

It judges pairs; it does not link whole feeds. A line that is no such pair ends it with exit code
2, after the pairs before it were answered.`
}

const (
	mostPairs     = 50_000 // that are judged together: how rare words are is counted over them
	mostPairBytes = 64 << 20
)

// Run judges block after block, so that memory stays bounded.
func (matchCommand) Run(a *program) error {
	in := bufio.NewScanner(a.In)
	in.Buffer(make([]byte, 0, 64<<10), longestLine)
	out := bufio.NewWriter(a.Out)
	var block []match.Pair
	size := 0
	for n := 1; in.Scan(); n++ {
		if len(in.Bytes()) == 0 {
			continue
		}
		pair, err := readPair(in.Bytes())
		if err != nil {
			fault := curlew.Permanent("bad_line", "line %d of the input is not what is expected: %s", n, text.JSONProblem(err))
			return errors.Join(printVerdicts(out, block), exitError{fault, exitUsage})
		}
		block = append(block, pair)
		if size += len(in.Bytes()); len(block) >= mostPairs || size >= mostPairBytes {
			if err := printVerdicts(out, block); err != nil {
				return err
			}
			block, size = nil, 0
		}
	}
	if err := printVerdicts(out, block); err != nil {
		return err
	}
	return inputProblem(in)
}

func readPair(line []byte) (match.Pair, error) {
	var pair struct{ A, B *match.Fields }
	if err := json.Unmarshal(line, &pair); err != nil {
		return match.Pair{}, err
	}
	switch {
	case pair.A == nil:
		return match.Pair{}, errors.New(`"a" is missing`)
	case pair.B == nil:
		return match.Pair{}, errors.New(`"b" is missing`)
	}
	return match.Pair{A: *pair.A, B: *pair.B}, nil
}

func printVerdicts(out *bufio.Writer, block []match.Pair) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for _, verdict := range match.Judge(block) {
		if err := encoder.Encode(verdict); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
	}
	return out.Flush()
}
