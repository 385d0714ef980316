package text

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for. There are hundreds, and most commands need none.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
