package events

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/read/dom"
)

func readTalks(t *testing.T, page string) []curlew.Draft {
	t.Helper()
	a := Read(dom.New([]byte("<html><body><main><h1>Programme 2026</h1>"+page+"</main></body></html>"), "https://example.org/programme"),
		Options{Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if len(a) == 0 {
		t.Fatal("nothing was read")
	}
	return a
}

// talks writes a page with a day of talks, each by a template in which T, P, R and N
// stand for title, people, room and number.
func talks(template string) string {
	var b strings.Builder
	b.WriteString("<h2>Tuesday, 24 March 2026</h2><ul>")
	for i, talk := range [][3]string{{"Mapping the wind", "Helen Vasseur", "Studio 3"}, {"Opening lecture", "Helen Vasseur, Paul Desiree", "Main Hall"},
		{"Open data and the shore", "Anna van Dyk, Omar Diallo", "Main Hall"}, {"Reading the coast", "Camilla Rossi", "Studio 1"}, {"Closing words", "Paul Desiree", "Studio 3"}} {
		hour := string(rune('0'+i%10)) + ""
		b.WriteString(strings.NewReplacer("T", talk[0], "P", talk[1], "R", talk[2], "N", "2"+hour, "H", "1"+hour+":30").Replace(template))
	}
	return b.String() + "</ul>"
}

func TestWhoSpeaksIsRead(t *testing.T) {
	for name, template := range map[string]string{
		"after a label":      `<li><b>H</b> <h4>T</h4><p>Speakers: P</p></li>`,
		"in another tongue":  `<li><b>H</b> <h4>T</h4><p>Intervenants : P</p></li>`,
		"marked by a class":  `<li><b>H</b> <h4>T</h4><div class="speaker">P</div></li>`,
		"as a line of names": `<li><b>H</b> <h4>T</h4>P<br><span class="salle">R</span></li>`,
	} {
		t.Run(name, func(t *testing.T) {
			drafts := readTalks(t, talks(template))
			if len(drafts) != 5 {
				t.Fatalf("%d entries", len(drafts))
			}
			if got := drafts[2].Fields["performers"]; !reflect.DeepEqual(got, []string{"Anna van Dyk", "Omar Diallo"}) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestPlacesAndPapersAreNotPeople(t *testing.T) {
	for _, text := range []string{"Main Hall", "City Library", "Room 12", "Council Chambers", "Free admission", "Agenda", "NATO Summit", "Online", "Agenda Minutes", "Buy Tickets", "Read More, Watch Live"} {
		t.Run(text, func(t *testing.T) {
			if got := new(reader).people(text); got != nil {
				t.Errorf("%q gives %v", text, got)
			}
		})
	}
}

func TestEntriesAreNamedByTheirAnchors(t *testing.T) {
	drafts := readTalks(t, talks(`<li id="s-N"><b>H</b> <h4>T</h4><i class="room">R</i></li>`))
	if drafts[0].ExternalID != "#s-20" || drafts[4].ExternalID != "#s-24" {
		t.Errorf("they are %q and %q", drafts[0].ExternalID, drafts[4].ExternalID)
	}
	if drafts := readTalks(t, talks(`<li id="s-1"><b>H</b> <h4>T</h4></li>`)); drafts[0].ExternalID != "" {
		t.Errorf("an id that all share names %q", drafts[0].ExternalID)
	}
}

func TestTheSameTalkInTwoRoomsIsTwo(t *testing.T) {
	drafts := readTalks(t, `<h2>Tuesday, 24 March 2026</h2><ul><li><b>10:30</b> <h4>Opening lecture</h4><i class="room">Studio 3</i></li>`+
		`<li><b>10:30</b> <h4>Opening lecture</h4><i class="room">Main Hall</i></li><li><b>12:30</b> <h4>Closing words</h4><i class="room">Main Hall</i></li></ul>`)
	if len(drafts) != 3 {
		t.Errorf("%d entries, want 3", len(drafts))
	}
}

func TestAStateBeforeTheNameIsNoPartOfIt(t *testing.T) {
	drafts := readTalks(t, `<h2>March 2026</h2><table><tr><th>Day</th><th>Time</th><th>Meeting</th></tr><tr><td>Tue. 3</td><td>9:00 am</td><td><font color=red>RESCHEDULED</font> <b>Library Board</b></td></tr>`+
		`<tr><td>Mon. 9</td><td>6:00 pm</td><td><b>Parks Board</b></td></tr><tr><td>Tue. 10</td><td>7:00 pm</td><td><b>City Council</b></td></tr></table>`)
	if len(drafts) != 3 || drafts[0].Fields["title"] != "Library Board" || drafts[0].Fields["status"] != "rescheduled" {
		t.Errorf("read %v", drafts[0].Fields)
	}
}
