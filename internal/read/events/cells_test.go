package events

import (
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
)

func TestARowOfInlineElementsIsReadByItsElements(t *testing.T) {
	for name, rows := range map[string]string{
		"a link between the day and the place": `<li><strong>21 November 2026, 7.30pm</strong> <a href="/e/0">On Lichens</a> <em>Library</em></li>
			<li><strong>5 December 2026, 7.30pm</strong> <a href="/e/1">Roman Roads of the Weald</a> <em>Church Hall</em></li>
			<li><strong>9 January 2027, 7.30pm</strong> <a href="/e/2">Local Wills, 1550–1700</a> <em>Library</em></li>`,
		"three spans, the day in two parts": `<li><span class="m">Nov</span> <span class="d">21</span> <span class="t">On Lichens</span> <span class="p">Library</span></li>
			<li><span class="m">Dec</span> <span class="d">5</span> <span class="t">Roman Roads of the Weald</span> <span class="p">Church Hall</span></li>
			<li><span class="m">Jan</span> <span class="d">9</span> <span class="t">Local Wills, 1550–1700</span> <span class="p">Library</span></li>`,
		"marks between them": `<li><time>2026-11-21</time> – <a href="/e/0">On Lichens</a> | <span>Room A</span></li>
			<li><time>2026-12-05</time> – <a href="/e/1">Roman Roads of the Weald</a> | <span>Room B</span></li>
			<li><time>2027-01-09</time> – <a href="/e/2">Local Wills, 1550–1700</a> | <span>Room B</span></li>`,
		"all of it in one link": `<li><a href="/e/0"><span class="d">21 November 2026</span><strong>On Lichens</strong><span class="t">7.30pm</span> <span class="p">Library</span></a></li>
			<li><a href="/e/1"><span class="d">5 December 2026</span><strong>Roman Roads of the Weald</strong><span class="t">7.30pm</span> <span class="p">Church Hall</span></a></li>
			<li><a href="/e/2"><span class="d">9 January 2027</span><strong>Local Wills, 1550–1700</strong><span class="t">7.30pm</span> <span class="p">Library</span></a></li>`,
	} {
		t.Run(name, func(t *testing.T) {
			doc := dom.New([]byte(`<html lang="en"><body><main><h1>Talks</h1><ul>`+rows+`</ul></main></body></html>`), "https://society.example/talks")
			found := Read(doc, Options{Now: time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC), Lang: "en"})
			if len(found) != 3 {
				t.Fatalf("%d events, want 3", len(found))
			}
			for i, want := range []string{"On Lichens", "Roman Roads of the Weald", "Local Wills, 1550–1700"} {
				t.Run(want, func(t *testing.T) {
					if got := found[i].Fields["title"]; got != want {
						t.Errorf("event %d is called %q, want %q", i+1, got, want)
					}
				})
			}
		})
	}
}
