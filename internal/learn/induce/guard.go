package induce

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/read/blueprint"
)

// guards are steps that let only values pass which look like the known ones. They
// stand behind fallback rules: where the first rule finds nothing because the field
// is not there, a rule that leans on the layout would take whatever stands there now.
func guards(values []value) []blueprint.Transform {
	if len(values) < 2 {
		return nil
	}
	var all []blueprint.Transform
	pass := func(pattern string) { all = append(all, blueprint.Transform{Op: "match", Text: pattern}) }
	length := digitsOnly(values[0].key)
	every := func(is func(value) bool) bool {
		return !slices.ContainsFunc(values, func(v value) bool { return !is(v) })
	}
	switch {
	case length > 1 && every(func(v value) bool { return digitsOnly(v.key) == length }):
		pass(fmt.Sprintf(`^\d{%d}$`, length))
	case every(func(v value) bool { return strings.IndexFunc(v.key, isCurrency) >= 0 }):
		pass(`(?s)^.*\p{Sc}.*$`)
	case every(func(v value) bool { return strings.ContainsAny(v.key, "0123456789") }):
		pass(`(?s)^.*\d.*$`)
	case every(func(v value) bool { return !strings.ContainsAny(v.key, "0123456789") }):
		pass(`(?s)^\D+$`)
	}
	return all
}

func digitsOnly(text string) int {
	if strings.Trim(text, "0123456789") != "" || len(text) > 20 {
		return 0
	}
	return len(text)
}

func isCurrency(r rune) bool { return unicode.Is(unicode.Sc, r) }
