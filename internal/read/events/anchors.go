package events

import (
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"golang.org/x/net/html"
)

// anchorName is an anchor that names an entry: "s-22", "event_1904".
var anchorName = text.Pattern(`^([A-Za-z][A-Za-z_-]{0,30}?)[-_]?(\d{1,12})$`)

// anchors gives the entries the ids that the page links to them by, where all have one
// of their own and of one kind. They stay when an entry is moved or renamed.
func (r *reader) anchors(drafts []curlew.Draft) {
	if len(drafts) < 3 {
		return
	}
	ids := make([]string, len(drafts))
	seen := map[string]bool{}
	kind := ""
	for i, e := range r.entries {
		if e.node == nil {
			return
		}
		id := dom.Attr(e.node, "id")
		m := anchorName().FindStringSubmatch(id)
		if m == nil || seen[id] || kind != "" && m[1] != kind {
			return
		}
		ids[i], seen[id], kind = id, true, m[1]
	}
	for i := range drafts {
		drafts[i].ExternalID = "#" + ids[i]
	}
}

// countedApart says whether two elements have ids of one kind and other numbers.
func countedApart(a, b *html.Node) bool {
	m, n := anchorName().FindStringSubmatch(dom.Attr(a, "id")), anchorName().FindStringSubmatch(dom.Attr(b, "id"))
	return m != nil && n != nil && m[1] == n[1] && m[2] != n[2]
}
