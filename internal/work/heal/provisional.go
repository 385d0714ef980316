package heal

import (
	"context"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/learn/quality"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/work/onboard"
)

// Where nothing that is known stands on the pages any more, nothing can prove a new way or refute it: a list of another
// year in another design looks so, and another page too. A way is taken provisionally if
const (
	leastUnfit     = 2    // so many checks in a row found the page like this,
	leastToCompare = 5    // so many things are known, and
	mostStillShown = 0.05 // at most this share of them stands on the pages,
	leastUsual     = 0.9  // and so many of its records have each field that so many of the known have.
)

// provisionally takes the best way that reads what the page is there for, as it is seen without what is known, and
// whose records are of the kind and have the fields of the known ones.
func (m Repair) provisionally(
	ctx context.Context, all []onboard.Proposal, afresh extract.ExtractOptions, out *Repaired,
) (onboard.Proposal, bool) {
	if m.Unfit < leastUnfit || len(m.Known) < leastToCompare || m.region() != "" || m.numbersShown() {
		return onboard.Proposal{}, false
	}
	readings := extract.Readings(ctx, m.Page, afresh)
	if len(readings) == 0 || readings[0].Schema != m.Old.Blueprint.Schema || readings[0].Score < extract.Sure {
		return onboard.Proposal{}, false
	}
	for _, p := range all {
		if extract.Named(readings[0].Records, p.Readings) < leastFoundAgain || !m.like(p.Readings) {
			continue
		}
		m.left = true
		shadow, err := m.shadow(ctx, p)
		if err != nil || !shadow.Agrees || float64(shadow.Known.Old) > mostStillShown*float64(len(m.Known)) {
			continue
		}
		out.Report.Shadow, out.Report.Provisional = &shadow, true
		return p, true
	}
	return onboard.Proposal{}, false
}

// numbersShown says whether the page shows the numbers of at least half of the known things: what each of them alone has in one of
// its columns, with a digit in it. It is a list of the same things then, and lacks their names.
func (m Repair) numbersShown() bool {
	page, owners := quality.NewPageText(m.Page.Document(), dates.Options{Now: m.Now()}), map[string]int{}
	for _, e := range m.Known {
		for _, number := range numbersOf(e) {
			owners[number]++
		}
	}
	shown := 0
	for _, e := range m.Known {
		if slices.ContainsFunc(numbersOf(e), func(number string) bool { return owners[number] == 1 && page.ShowsText(number) }) {
			shown++
		}
	}
	return 2*shown >= len(m.Known)
}

// numbersOf are the texts with a digit in them that a thing has in its columns.
func numbersOf(e curlew.Entity) (all []string) {
	for name, value := range e.Fields.Flat() {
		if number, is := value.(string); is && strings.HasPrefix(name, "slots.") && len(number) >= leastNumber && text.Digits(number) != "" {
			all = append(all, text.Fold(number))
		}
	}
	return all
}

// leastNumber is how long the number of a thing is at least.
const leastNumber = 4

// like says whether records usually have the fields that known things usually have, and a day, an amount or a word of
// a closed set among them: a text is read from anything. Addresses, pictures and texts come and go with a design.
func (m Repair) like(readings []extract.ReadRecord) bool {
	kind, telling := m.Old.Blueprint.Kind(), false
	var known, is []curlew.Values
	for _, e := range m.Known {
		known = append(known, e.Fields)
	}
	for _, r := range readings {
		is = append(is, r.Record.Fields)
	}
	for _, f := range kind.Fields {
		if !onboard.Informative(kind, f) || f.Type == curlew.TypeText || f.Type == curlew.TypeLong {
			continue
		}
		has := usual(is, f.Name)
		if !has && usual(known, f.Name) {
			return false
		}
		telling = telling || has
	}
	return telling
}

// usual says whether most of some records have a field.
func usual(all []curlew.Values, field string) bool {
	n := 0
	for _, fields := range all {
		if fields.At(field) != nil {
			n++
		}
	}
	return float64(n) >= leastUsual*float64(len(all))
}

// heldBack is what waits for a person after a provisional healing: nothing that was known before is gone until then.
func heldBack(heal curlew.Heal) *curlew.Hold {
	return &curlew.Hold{Run: heal.Run, Since: heal.EndedAt, Missing: heal.Report.Known, Of: heal.Report.Known, Provisional: true,
		Why: "no known record is on the page since its redesign: check whether it is the same list; until then nothing is removed"}
}
