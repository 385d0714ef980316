package extract

import (
	"testing"

	"curlew/internal/curlew"
)

// A plain list calls its things by what tells them apart; the headline of a detail page
// may be that of all of them.
func TestAPlainListNamesItsThings(t *testing.T) {
	listed := curlew.Record{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": "Fix crash", "url": "https://a.example/1"}}
	own := curlew.Record{Schema: curlew.SchemaItem, Fields: curlew.Values{"title": "Releases", "text": "Long notes"}}
	if got := Merge(listed, own).Fields; got["title"] != "Fix crash" || got["text"] != "Long notes" {
		t.Errorf("%v", got)
	}
}
