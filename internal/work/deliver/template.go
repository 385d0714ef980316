package deliver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// What a template may name, in braces: {title}.
var templateWords = map[string]func(view) string{
	"what":    func(v view) string { return v.Label },
	"title":   func(v view) string { return v.Title },
	"changes": func(v view) string { return strings.Join(v.differences(), "\n") },
	"facts": func(v view) string {
		var all []string
		for _, r := range v.Facts {
			all = append(all, r.Label+": "+r.New)
		}
		return strings.Join(all, "\n")
	},
	"url":    func(v view) string { return v.URL },
	"source": func(v view) string { return v.Source },
	"watch":  func(v view) string { return v.Watch },
	"when":   func(v view) string { return v.When },
	"reason": func(v view) string { return v.Reason },
}

var placeholder = text.Pattern(`\{([^{}\n]*)\}`)

// TemplateProblem says what is wrong with the template of a message; "" for nothing.
func TemplateProblem(template string) string {
	for _, m := range placeholder().FindAllStringSubmatch(template, -1) {
		if _, known := templateWords[m[1]]; !known {
			return fmt.Sprintf("the template names %q, which is not there: use {%s}", text.Clip(m[0], 40),
				strings.Join(slices.Sorted(maps.Keys(templateWords)), "}, {"))
		}
	}
	return ""
}

// TemplateOf is the template that a target has; "" for the usual text.
func TemplateOf(channel curlew.Channel, target json.RawMessage) string {
	t, err := decodeTarget[ChatTarget](target)
	if err != nil || !IsChat(channel) {
		return ""
	}
	return t.Template
}

// filled puts a change into a template; lines of which nothing is left are left out.
func filled(template string, v view) string {
	var all []string
	for line := range strings.SplitSeq(strings.TrimSpace(template), "\n") {
		words := strings.TrimSpace(placeholder().ReplaceAllStringFunc(line, func(name string) string {
			return templateWords[name[1:len(name)-1]](v)
		}))
		if words != "" || strings.TrimSpace(line) == "" {
			all = append(all, words)
		}
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}
