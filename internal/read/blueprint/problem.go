package blueprint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Defect is one thing wrong with a blueprint.
type Defect struct {
	Place    string `json:"place"` // a JSON pointer: "/fields/title/rules/0/css"
	Sentence string `json:"sentence"`
}

func (p Defect) String() string {
	if p.Place == "" {
		return p.Sentence
	}
	return p.Place + ": " + p.Sentence
}

// problems collects all that is wrong.
type problems []Defect

// add notes a problem; the first one of a place says enough.
func (p *problems) add(place, format string, args ...any) {
	if slices.ContainsFunc(*p, func(q Defect) bool { return q.Place == place }) || len(*p) > maxProblems {
		return
	}
	*p = append(*p, Defect{place, fmt.Sprintf(format, args...)})
}

// Error lists the problems, one per line.
func (p problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// maxProblems is how many problems a fault lists.
const maxProblems = 50

// fault makes one fault of all problems; nil when there are none.
func (p problems) fault() error {
	if len(p) == 0 {
		return nil
	}
	if len(p) > maxProblems {
		p = p[:maxProblems]
	}
	count := "1 problem"
	if len(p) > 1 {
		count = fmt.Sprintf("%d problems", len(p))
	}
	return curlew.Permanent("invalid_blueprint", "the blueprint has %s", count).Because(p)
}

// Defects lists what an error of Parse or Compile found wrong.
func Defects(err error) []Defect {
	var p problems
	errors.As(err, &p)
	return p
}
