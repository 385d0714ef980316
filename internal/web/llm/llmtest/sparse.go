package llmtest

import (
	"fmt"
	"net/http"
)

// Sparse is a page whose rooms have numbers: nothing on it tells that they are places.
func Sparse(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><html lang="en"><head><title>What's on</title></head><body><h1>What's on</h1><div class="list">`)
	for i, title := range []string{"Hedda Gabler", "A Night of Fado", "Ghosts", "Open Rehearsal", "Peer Gynt", "Little Eyolf",
		"Songs of the North", "The Wild Duck"} {
		fmt.Fprintf(w, `<section class="show"><h3>%s</h3><p class="when">%d April 2031, 19:30</p><p class="room">№ 2</p></section>`, title, 2*i+3)
	}
	fmt.Fprint(w, `</div><footer><p>Open all year round.</p></footer></body></html>`)
}

// SparseRules are the rules by which a model reads it.
const SparseRules = `{"curlew": 1, "schema": "event", "page": "list", "tier": "html", "records": {"css": "section.show"}, "fields": {
	"title": {"css": "h3", "required": true}, "starts_at": {"css": "p.when", "required": true}, "venue_name": {"css": "p.room"}}}`
