package extract

import (
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/article"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/read/structured"
)

// askArticle fills the fields of a page that no rule gave and that the blueprint leaves to the
// reader of articles.
func (r *Compiled) askArticle(drafts []curlew.Draft, m Material, doc *dom.Document) {
	if len(drafts) != 1 || doc.IsJSON() {
		return
	}
	var told *curlew.Draft
	for field, name := range r.Blueprint.Article {
		if drafts[0].Fields[field] != nil {
			continue
		}
		if told == nil {
			read, _ := article.Read(doc, structured.Read(doc), article.Options{Now: m.Now})
			d := read.Draft()
			told = &d
		}
		if value := told.Fields[name]; value != nil {
			evidence := told.Provenance[name]
			evidence.Rule = "by the article reader: " + evidence.Rule
			if several, _ := value.(string); r.Blueprint.Fields[field].Many {
				value = strings.Split(several, ", ")
			}
			drafts[0].Fields[field], drafts[0].Provenance[field] = value, evidence
		}
	}
}
