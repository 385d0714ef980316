package regions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// Each record is a picture with its name and, in a box of the same kind, a caption.
func TestHalvesThatAlternateAreNotAlike(t *testing.T) {
	var page strings.Builder
	for i := range 40 {
		fmt.Fprintf(&page, `<div><div><img src="/%d.png"><h2><a href="/clinic/%d">Clinic number %d of the town</a></h2><span>Harbour Road %d</span></div><div><p>Rated %d of 10</p></div></div>`, i, i, i, 3*i+1, i%10)
	}
	s := look(dom.New([]byte(page.String()), "https://town.example/clinics"))
	for _, c := range s.rank(context.Background(), s.candidates(context.Background())) {
		if len(c.runs) == 80 && c.kind == Nodes && c.features[Coherent] > 0.5 {
			t.Errorf("the halves of records seem to be of one structure: %.2f", c.features[Coherent])
		}
		if len(c.runs) == 40 && c.features[Images] == 1 && c.features[Coherent] < 0.99 {
			t.Errorf("the records seem to differ: %.2f", c.features[Coherent])
		}
	}
}

func TestWhatIsOfAnotherKindIsNoPeer(t *testing.T) {
	hotels := candidate{score: 7, runs: []run{{1, 2}, {2, 3}, {3, 4}}, features: Features{Length: 0.9, Rich: 0.8, Images: 1, Links: 1, Numbers: 1, Prices: 1, Headings: 1, Linked: 0.2}}
	more := hotels
	more.score, more.runs = 6.4, []run{{11, 12}, {12, 13}, {13, 14}}
	days := candidate{score: 6.8, runs: []run{{21, 22}, {22, 23}, {23, 24}}, features: Features{Length: 0.4, Rich: 0.3, Numbers: 1, Dates: 1}}
	chosen := peers([]candidate{hotels, days, more}, margin)
	if len(chosen) != 2 || chosen[1].score != more.score {
		t.Errorf("got %d lists, want both lists of hotels and not the days of the calendar", len(chosen))
	}
}
