package dom

import (
	"slices"
	"strings"
)

// maxNames is how many class names of one element count.
const maxNames = 8

// stableNames are the class names of an element that say what it is, in the order
// written: without those that tools generate and those that tell a state.
func stableNames(class string) []string {
	var names []string
	for name := range strings.FieldsSeq(class) {
		if name = stableName(name); name != "" && !slices.Contains(names, name) {
			if names = append(names, name); len(names) == maxNames {
				break
			}
		}
	}
	return names
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return names
}

// stableID is an id if it was given by hand.
func stableID(id string) string {
	if len(id) > 40 || strings.ContainsAny(id, "0123456789") || strings.ContainsAny(id, " :") || stableName(id) != id {
		return ""
	}
	return id
}

// stableName is what is left of a class name without its generated parts:
// "Card_title__3xY2z" is "Card_title", "post-123" is "post-#", "css-1x2y3z" nothing.
func stableName(name string) string {
	if len(name) > 64 || transient(name) {
		return ""
	}
	name, _, _ = strings.Cut(name, "--")
	var out strings.Builder
	start := 0
	kept := false
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '-' && name[i] != '_' {
			continue
		}
		segment := name[start:i]
		switch {
		case segment == "":
		case generated(segment):
			if !kept || slices.ContainsFunc(generators, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
				return ""
			}
			return strings.TrimRight(out.String(), "-_")
		default:
			out.WriteString(numberless(segment))
			kept = true
		}
		if i < len(name) {
			out.WriteByte(name[i])
		}
		start = i + 1
	}
	return strings.TrimRight(out.String(), "-_")
}

// generators begin the names that tools for styles write.
var generators = []string{"css-", "sc-", "jsx-", "svelte-", "emotion-", "jss"}

// transient names tell a state, a trial or a hook rather than a part.
func transient(name string) bool {
	switch name {
	case "active", "open", "opened", "closed", "selected", "current", "first", "last", "odd", "even", "hidden", "show",
		"visible", "loaded", "loading", "lazy", "lazyload", "lazyloaded", "collapsed", "expanded", "disabled", "js", "no-js", "hover", "focus":
		return true
	}
	for _, prefix := range []string{"is-", "has-", "ab-", "ab_", "abtest", "exp-", "experiment", "variant-", "variant_", "test-", "js-",
		"bucket-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// generated says whether a part of a name looks like the output of a hash.
func generated(s string) bool {
	digits, letters, upper, humps := makeup(s)
	switch {
	case len(s) < 5:
		return false
	case digits > 0 && letters > 0:
		return !numbersAtEnd(s) || digits >= 4
	case digits >= 6:
		return true
	}
	if len(s) >= 6 && digits == 0 && (strings.Trim(s, "abcdef") == "" || !strings.ContainsAny(s, "aeiouyAEIOUY")) {
		return true // hexadecimal that happens to have no digits, or letters that nobody can say
	}
	// camelCase has humps of some length, a hash in letters does not.
	return upper > 0 && upper < letters && letters < 3*humps
}

// makeup counts the characters of a name, and the humps of camelCase.
func makeup(s string) (digits, letters, upper, humps int) {
	humps = 1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			letters++
			upper++
			if i > 0 && (s[i-1] < 'A' || s[i-1] > 'Z') {
				humps++
			}
		default:
			letters++
		}
	}
	return digits, letters, upper, humps
}

func numbersAtEnd(s string) bool {
	return !strings.ContainsAny(strings.TrimRight(s, "0123456789"), "0123456789")
}

// numberless writes every run of digits as #.
func numberless(s string) string {
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			out.WriteByte(s[i])
		} else if i == 0 || s[i-1] < '0' || s[i-1] > '9' {
			out.WriteByte('#')
		}
	}
	return out.String()
}
