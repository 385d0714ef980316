package demo

import (
	"net/http"
	"time"
)

// musing is one piece of prose.
type musing struct {
	Heading string
	Date    time.Time
	Texts   []string
}

// The site blog is somebody's thoughts: long text, and nothing that anyone would keep
// in a list.
func blogPaths() []path {
	return []path{{"GET /{$}", func(s scene, _ *http.Request) page {
		var musings []musing
		for i, heading := range []string{"On keeping a kettle", "What the neighbours’ dog knows", "A walk that went wrong",
			"Letters I did not send"} {
			m := musing{Heading: heading, Date: s.start.AddDate(0, 0, -11*i-4)}
			for _, part := range []string{"a", "b", "c", "d", "e"} {
				m.Texts = append(m.Texts, s.Sentences(heading+part, 7))
			}
			musings = append(musings, m)
		}
		return s.html("list", view{Heading: "Slow Mornings", Path: "/", Items: musings})
	}}}
}
