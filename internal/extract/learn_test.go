package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/dom"
)

var learningDay = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

func page(body string) *dom.Document {
	return dom.New([]byte(`<html lang="en"><head><title>Board</title></head><body><h1>Board meetings</h1>`+body+`</body></html>`), "https://board.example/meetings")
}

// meetingsPages are lists of meetings that people write in many ways.
func meetingsPages() map[string]*dom.Document {
	var cards, columns strings.Builder
	for i, day := range []string{"March 9", "April 13", "May 11", "June 8", "July 13"} {
		fmt.Fprintf(&cards, `<li class="meeting"><h3>Session %d</h3><p>%s, 2026 at 6:00 pm</p></li>`, i+1, day)
	}
	columns.WriteString(`<h2>2026</h2><table><tr><td>`)
	for _, month := range []string{"March", "April", "May", "June"} {
		fmt.Fprintf(&columns, `<b>%s</b><br>3 – Works Committee (<a href="/%s-3.pdf">agenda</a>)<br>17 – Full Board<br><br>`, month, month)
	}
	columns.WriteString(`</td><td>Meetings begin at 7:00 pm in the hall.</td></tr></table>`)
	return map[string]*dom.Document{"cards": page(`<ul>` + cards.String() + `</ul>`), "months in columns": page(columns.String())}
}

func TestWhatIsLearnedReadsLikeTheReader(t *testing.T) {
	for name, doc := range meetingsPages() {
		t.Run(name, func(t *testing.T) {
			read := wholeOf(Extract(t.Context(), MaterialOf(doc, learningDay), ExtractOptions{Schema: curlew.SchemaEvent, Asserted: true}).Readings)
			if len(read) < 5 {
				t.Fatalf("the reader finds %d meetings", len(read))
			}
			b, proof, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []induce.LabelledPage{{Document: doc, Now: learningDay}})
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := Compile(b)
			if err != nil {
				t.Fatal(err)
			}
			given := wholeOf(compiled.Apply(t.Context(), MaterialOf(doc, learningDay), ApplyOptions{}).Readings)
			if !Reproduces(read, given, ByRequired) || proof.Records == 0 {
				t.Errorf("the reader gives %d records, the blueprint %d (by %+v)", len(read), len(given), b.Records)
			}
		})
	}
}

// The first story of a news page has a heading of a higher rank than the others, and another one
// is the first tomorrow.
func TestTheHeadingOfWhicheverStoryComesFirstIsLearned(t *testing.T) {
	news := func(kickers []string, titles ...string) *dom.Document {
		var all strings.Builder
		for i, title := range titles {
			fmt.Fprintf(&all, `<article><a href="/a/%d"><span class="kicker">%s</span><h%[3]d>%[4]s</h%[3]d><p>Since %[5]d May.</p></a></article>`,
				i, kickers[i%len(kickers)], min(i+2, 3), title, i+2)
		}
		return dom.New([]byte(`<html><head><title>News</title></head><body><main>`+all.String()+`</main></body></html>`), "https://news.example/")
	}
	titles := []string{"Bridge stays closed", "Council argues about money", "Storm on Sunday", "Clinic gets a wing", "Late defeat", "Barn burns down", "Wolf seen again"}
	b, _, err := Learn(t.Context(), curlew.SchemaItem.Kind(), []induce.LabelledPage{{Document: news([]string{"Local", "Sport"}, titles...), Now: learningDay}})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := Compile(b)
	if err != nil {
		t.Fatal(err)
	}
	next := news([]string{"Police", "Local"}, append([]string{"Crash on the main road"}, titles...)...)
	read := compiled.Apply(t.Context(), MaterialOf(next, learningDay), ApplyOptions{}).Readings
	if len(read) != 8 || read[0].Record.Name() != "Crash on the main road" {
		t.Errorf("%d stories by %+v", len(read), b.Fields["title"])
	}
}

func TestRecordsThatLackOrAddSomethingAreNotTheReaders(t *testing.T) {
	records := func(titles string, day string) (all []ReadRecord) {
		for title := range strings.FieldsSeq(titles) {
			all = append(all, ReadRecord{Record: curlew.Record{Schema: curlew.SchemaEvent, Fields: curlew.Values{"title": title, "starts_at": day}}})
		}
		return all
	}
	want := records("a b c d e f", "2026-03-09")
	for name, c := range map[string]struct {
		have []ReadRecord
		same bool
	}{
		"the same":       {records("a b c d e f", "2026-03-09"), true},
		"one is missing": {records("a b c d e", "2026-03-09"), true},
		"two are":        {records("a b c d", "2026-03-09"), false},
		"two more":       {records("a b c d e f g h", "2026-03-09"), false},
		"another day":    {records("a b c d e f", "2026-03-10"), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Reproduces(want, c.have, ByRequired); got != c.same {
				t.Errorf("the same: %v", got)
			}
		})
	}
}

// Every meeting that was known is over, and the page has a new form with the next ones:
// that none of the old is there proves nothing against it.
func TestPastMeetingsProveNothingAgainstANewPage(t *testing.T) {
	was, now := learningDay, learningDay.AddDate(0, 9, 0)
	old, _, err := Learn(t.Context(), curlew.SchemaEvent.Kind(), []induce.LabelledPage{{Document: meetingsPages()["cards"], Now: was}})
	if err != nil {
		t.Fatal(err)
	}
	var past []induce.PastRecord
	for i, day := range []string{"2026-03-09", "2026-04-13", "2026-05-11", "2026-06-08", "2026-07-13"} {
		past = append(past, induce.PastRecord{Now: was, Fields: map[string][]string{"title": {fmt.Sprintf("Session %d", i+1)}, "starts_at": {day}}})
	}
	next := page(`<table><tr><th>Date</th><th>Meeting</th></tr><tr><td>December 14, 2026</td><td>Budget hearing</td></tr>
		<tr><td>January 11, 2027</td><td>Election of officers</td></tr><tr><td>February 8, 2027</td><td>Reading of the plan</td></tr></table>`)
	healed, err := Heal(t.Context(), induce.Case{Old: old, Past: past, Pages: []induce.DatedPage{{Document: next, Now: now}}})
	if err != nil {
		t.Fatal(err)
	}
	if healed.Proof.Records != 3 || !strings.Contains(strings.Join(healed.Proof.Notes, " "), "provisional") {
		t.Errorf("healed %s, %d records, notes %q", healed.How, healed.Proof.Records, healed.Proof.Notes)
	}
}
