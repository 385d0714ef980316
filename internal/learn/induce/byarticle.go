package induce

import (
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// leaveToArticle lets the reader of articles fill the fields that it reads just as they are known,
// on every page of which they are: a site that changed its markup still has an author.
func (t trial) leaveToArticle(b *blueprint.Blueprint) {
	if t.kind.Name.BuiltIn() {
		return
	}
	agreed := map[string]map[string]int{} // by field and the reader's name for it
	pages := map[string]int{}
	for _, s := range t.samples {
		if !s.known || s.index.doc.IsJSON() {
			continue
		}
		read, _ := article.Read(s.index.doc, structured.Read(s.index.doc), article.Options{Now: s.index.dates.Now})
		for field, want := range s.want {
			pages[field]++
			for name, text := range map[string]string{"author": read.Author, "published_at": read.PublishedAt} {
				if agreed[field] == nil {
					agreed[field] = map[string]int{}
				}
				if tells(text, want) {
					agreed[field][name]++
				}
			}
		}
	}
	for field := range b.Fields {
		for _, name := range blueprint.ArticleFields {
			if n := agreed[field][name]; n > 0 && n == pages[field] {
				if b.Article == nil {
					b.Article = map[string]string{}
				}
				b.Article[field] = name
				break
			}
		}
	}
}

// tells says whether a text of the reader is what is known: every part of it, or its day.
func tells(text string, want []value) bool {
	read := newValue(text)
	parts := []string{read.key}
	for part := range strings.SplitSeq(text, ", ") {
		parts = append(parts, newValue(part).key)
	}
	return read.key != "" && !slices.ContainsFunc(want, func(v value) bool {
		return !slices.Contains(parts, v.key) && (v.day.IsZero() || !v.day.Equal(read.day))
	})
}
