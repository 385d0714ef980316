package events

import "testing"

// The second at which a page was made is no time of what it lists.
func TestTheSecondAtWhichAPageWasMadeIsNoTimeOfItsEntries(t *testing.T) {
	const want = `2026-11-28 Advent fair
2026-12-05 Winter market
2026-12-06 Choir evening`
	if got := shown("en", `<h1>Events</h1><p>28 November 2026: Advent fair</p><p>5 December 2026: Winter market</p>
		<p>6 December 2026: Choir evening</p><div>Page generated at 20:09:41 in 34 ms</div>`); got != want {
		t.Error(got)
	}
}
