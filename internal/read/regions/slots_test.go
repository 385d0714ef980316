package regions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// What all records say may be said of one of them tomorrow: it is kept from the beginning,
// so that the difference is seen. Buttons, links and the names of other slots are not.
func TestAValueThatAllRecordsShareIsASlot(t *testing.T) {
	for card, want := range map[string]string{
		`<span class="stock">In stock</span>`:                                  "copy stock title",
		`<p class="type">Full time</p><p><b>Town</b> <i class="town">Bath</i>`: "copy title town type",
		`<button class="buy">Add to basket</button>`:                           "copy title",
		`<a class="more" href="/x"> <span>Read more</span> </a>`:               "copy title",
		`<dl><dt>Depth</dt><dd class="depth">%d m</dd></dl>`:                   "copy depth title",
		`<span class="rule">—</span>`:                                          "copy title",
		`Posted by <i class="who">Ann %d</i>`:                                  "copy title who",
	} {
		t.Run(card, func(t *testing.T) {
			var page strings.Builder
			for i := range 12 {
				one := card
				if strings.Contains(card, "%d") {
					one = fmt.Sprintf(card, i+3)
				}
				fmt.Fprintf(&page, `<div class="entry"><h3><a href="/plan/%d">Plan of the %s house</a></h3><p class="copy">Sheet %d of the %s series, with notes.</p>%s</div>`,
					i, words[i], i+1, words[i], one)
			}
			_, drafts := Items(t.Context(), dom.New([]byte("<h1>Plans</h1><main>"+page.String()+"</main>"), "https://a.example/plans"), Options{})
			if len(drafts) != 12 {
				t.Fatalf("%s: %d records", card, len(drafts))
			}
			slots, _ := drafts[3].Fields["slots"].(map[string]any)
			if got := strings.Join(slices.Sorted(maps.Keys(slots)), " "); got != want {
				t.Errorf("%s: slots %q, want %q: %v", card, got, want, slots)
			}
		})
	}
}

func TestACellOfAUnitIsASlot(t *testing.T) {
	page := `<h1>Figures</h1><table><thead><tr><th>What</th><th>Value</th><th>Unit</th><th>Trend</th></tr></thead>`
	for i, unit := range []string{"%", "%", "m", "‰", "%", "t"} {
		page += fmt.Sprintf("<tr><td>Yield of %s</td><td>%d,%d</td><td>%s</td><td>→</td></tr>", words[i], 3*i+2, i, unit)
	}
	_, drafts := Items(t.Context(), dom.New([]byte(page+"</table>"), "https://a.example/figures"), Options{})
	if len(drafts) != 6 {
		t.Fatalf("%d records", len(drafts))
	}
	for i, want := range []string{"%", "%", "m", "‰"} {
		t.Run(want, func(t *testing.T) {
			if slots, _ := drafts[i].Fields["slots"].(map[string]any); slots["unit"] != want || slots["trend"] != "→" {
				t.Errorf("row %d: %v, want %s and →", i, slots, want)
			}
		})
	}
}

// The number of a row changes with what is before it.
// Which note of a release is the second says nothing, and the next release may have more than any before.
func TestAListInARecordIsOneSlotWhereRecordsHaveMoreAndFewer(t *testing.T) {
	for name, c := range map[string]struct{ entries, want []string }{
		"notes": {[]string{"Mended the lock", "Faster maps|Darker nights", "New keys|Safer doors|Fewer steps", "Mended the roof"},
			[]string{"Mended the lock", "Faster maps Darker nights", "New keys Safer doors Fewer steps", "Mended the roof"}},
		"as many in each": {[]string{"Red|Soft", "Blue|Hard", "Green|Soft", "White|Hard"}, []string{"Red", "Blue", "Green", "White"}},
		"dates among them, more and fewer": {[]string{"Hall|3 May 2026", "Garden|4 May 2026|Free|Late", "Yard|5 May 2026|Free", "Barn|6 May 2026"},
			[]string{"Hall", "Garden", "Yard", "Barn"}},
		"dates among them": {[]string{"Hall|3 May 2026", "Garden|4 May 2026", "Yard|5 May 2026|Free", "Barn|6 May 2026"}, []string{"Hall", "Garden", "Yard", "Barn"}},
	} {
		t.Run(name, func(t *testing.T) {
			page := "<h1>Releases</h1><main>"
			for i, texts := range c.entries {
				page += fmt.Sprintf("<h2>Release %d of %s</h2>\n<ul>\n<li>%s</li>\n</ul>\n", i, words[i], strings.ReplaceAll(texts, "|", "</li>\n<li>"))
			}
			_, drafts := Items(t.Context(), dom.New([]byte(page+"</main>"), "https://a.example/releases"), Options{})
			if len(drafts) != len(c.want) {
				t.Fatalf("%s: %d records", name, len(drafts))
			}
			for i, want := range c.want {
				if slots, _ := drafts[i].Fields["slots"].(map[string]any); slots["text"] != want {
					t.Errorf("%s, record %d: %v, want %q", name, i, slots, want)
				}
			}
		})
	}
}

func TestTheNumberOfARowIsNoSlot(t *testing.T) {
	page := `<h1>Tenders</h1><table><thead><tr><th>S. No.</th><th>What</th><th>Lots</th></tr></thead>`
	for i := range 6 {
		page += fmt.Sprintf(`<tr><td>%d.</td><td><a href="/%d">Supply of %s</a></td><td>%d</td></tr>`, i+1, i, words[i], 3*i+2)
	}
	_, drafts := Items(t.Context(), dom.New([]byte(page+"</table>"), "https://a.example/tenders"), Options{})
	if len(drafts) != 6 {
		t.Fatalf("%d records", len(drafts))
	}
	if slots, _ := drafts[1].Fields["slots"].(map[string]any); slots["s_no"] != nil || slots["lots"] != "5" {
		t.Errorf("%v", slots)
	}
}

var words = strings.Fields("copper birch amber willow falcon heron lantern marble nettle orchid pebble quartz")

// The first story of a page is set larger: another heading, other classes, a wrapper more.
func TestTheOneHeadingOfARecordIsItsTitleWhateverItsRank(t *testing.T) {
	page := `<article class="teaser xl"><a href="/a/0"><span class="kicker">Local</span><h2 class="big">Bridge over the river stays closed</h2><p>Since May.</p></a></article>`
	for i, title := range []string{"Council argues about the budget", "Storm expected on Sunday", "Clinic gets a new wing", "Late defeat for the home side", "Barn burns down"} {
		page += fmt.Sprintf(`<article class="teaser"><a href="/a/%d"><span class="kicker">%s</span><h3>%s</h3><p>Since %d May.</p></a></article>`, i+1, words[i%3], title, i+2)
	}
	_, drafts := Items(t.Context(), dom.New([]byte("<h1>News</h1><main>"+page+"</main>"), "https://a.example/"), Options{})
	if len(drafts) != 6 {
		t.Fatalf("%d records", len(drafts))
	}
	if got := drafts[0].Fields["title"]; got != "Bridge over the river stays closed" {
		t.Errorf("the first is called %q", got)
	}
	if slots, _ := drafts[0].Fields["slots"].(map[string]any); slots["kicker"] != "Local" || slots["big"] != nil {
		t.Errorf("its slots are %v", slots)
	}
}

// Release notes are called by their headings, though only the numbers in these differ.
func TestAHeadingOfEveryRecordIsItsTitleThoughOnlyItsNumberDiffers(t *testing.T) {
	page := ""
	for i, note := range []string{"crash when importing", "search ignored notes", "labels lost on copy", "printing of long lists", "duplicated reminders"} {
		page += fmt.Sprintf(`<section class="release"><h2>Version 4.%d.0</h2><p class="day">November %d, 2026</p><ul><li>Fixed: %s</li></ul></section>`, 9-i, 20-i, note)
	}
	_, drafts := Items(t.Context(), dom.New([]byte("<h1>Release notes</h1><main>"+page+"</main>"), "https://a.example/"), Options{})
	if len(drafts) != 5 || drafts[0].Fields["title"] != "Version 4.9.0" {
		t.Errorf("%d records, the first %v", len(drafts), drafts[0].Fields)
	}
}

// A count tells records apart by chance: "89 applicants" is nobody's name, though two of the jobs are called alike.
func TestACountIsNoName(t *testing.T) {
	page := ""
	for i, job := range []string{"Lead Electrician", "Nurse", "Lead Electrician", "Driver", "Nurse", "Driver"} {
		page += fmt.Sprintf(`<div class="row"><span><a href="/j/%d">%s</a></span><span>Hartford</span><span>%d applicants</span></div>`, i, job, 89+7*i)
	}
	_, drafts := Items(t.Context(), dom.New([]byte("<h1>Jobs</h1><main>"+page+"</main>"), "https://a.example/"), Options{})
	if len(drafts) != 6 || drafts[0].Fields["title"] != "Lead Electrician" {
		t.Errorf("%d records, the first %v", len(drafts), drafts[0].Fields)
	}
}

// A name that several records share tells none of them: where a column tells them apart, they are called by that.
func TestRecordsAreCalledByTheColumnThatTellsThemApart(t *testing.T) {
	page := "<table><tr><th>Unit</th><th>Currency</th><th>Code</th><th>Rate</th></tr>"
	for _, row := range []string{"1 Euro EUR 4.25", "1 Dollar USD 3.61", "1 Krone NOK 0.35", "1 Krone DKK 0.56", "1 Krona SEK 0.37", "1 Dollar CAD 2.61", "1 Dollar AUD 2.37"} {
		page += "<tr><td>" + strings.ReplaceAll(row, " ", "</td><td>") + "</td></tr>"
	}
	_, drafts := Items(t.Context(), dom.New([]byte("<h1>Rates</h1><main>"+page+"</table></main>"), "https://a.example/"), Options{})
	if len(drafts) != 7 || drafts[3].Fields["title"] != "DKK" {
		t.Errorf("%d records, the fourth %v", len(drafts), drafts[3].Fields)
	}
}
