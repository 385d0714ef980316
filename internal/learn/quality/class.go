package quality

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
)

// classify decides why a value differs from the truth.
func (x *judgedRecord) classify(row TruthRow, name string, want, got any) Mismatch {
	m := Mismatch{Field: name, Want: want, Got: got, Sure: true}
	f := x.field(name)
	by := func(class MismatchClass, why string) Mismatch {
		m.Class, m.Why = class, why
		return m
	}
	if _, known := x.schema.Field(name); slices.Contains(row.Unsupported, name) || x.schema.Name != "" && !known {
		return by(UnsupportedVariant, "this form is known not to be read yet")
	}
	if f.Type == curlew.TypeURL && siblings(said(want), said(got)) {
		return by(SubdomainVariant, "the same address on another host of the site")
	}
	form := ""
	if got != nil {
		form = alike(f.Type, want, got)
	}
	right := x.tookRight(f, want)
	if len(x.views) == 0 {
		if spoiled := cmp.Or(form, right); spoiled != "" {
			return by(NormalizationBug, spoiled)
		}
		m.Sure = false
		return by(ParserDrift, "the page is not archived, so whether it shows this is unknown")
	}
	wanted := x.present(f, want)
	switch {
	case right != "":
		return by(NormalizationBug, right)
	case form != "" && (wanted || !x.present(f, got)):
		return by(NormalizationBug, form)
	case wanted:
		return by(ParserDrift, x.drifted(f, want, got))
	}
	return x.absentWanted(m, f, want, got)
}

// tookRight says, in words, that the text a rule took says the wanted value.
func (x *judgedRecord) tookRight(f curlew.Field, want any) string {
	evidence := x.record.Provenance[f.Name].Text
	if evidence == "" || !x.says(f, evidence, want) {
		return ""
	}
	return fmt.Sprintf("the rule took %s, which says the right thing", quote(evidence))
}

// absentWanted decides where the page does not have the wanted value.
func (x *judgedRecord) absentWanted(m Mismatch, f curlew.Field, want, got any) Mismatch {
	switch part := x.partOf(f, want); {
	case part != "":
		m.Class, m.Why = PartialSourceData, part
	case got != nil && x.present(f, got):
		m.Class, m.Why = ExpectationWasWrong, "the page shows the value that was read, and not the expected one"
	case got == nil:
		m.Class, m.Why = SourceNotVisible, "the page does not have it"
	default:
		m.Class, m.Why, m.Sure = ParserDrift, "the page has neither what was expected nor what was read", false
	}
	return m
}

// unexpected judges a value where the truth says that there is none.
func (x *judgedRecord) unexpected(name string, got any) Mismatch {
	m := Mismatch{Field: name, Got: got, Class: ParserDrift, Sure: len(x.views) > 0, Why: "there should be no value, and the page has none"}
	switch {
	case len(x.views) == 0:
		m.Why = "there should be no value; the page is not at hand"
	case x.locate(name, got).Seen == curlew.SeenVisible:
		m.Class, m.Sure, m.Why = ExpectationWasWrong, false, "the page shows this value; is it about something else?"
	}
	return m
}

// present says whether the page has a value, shown or not. What a page says in
// other words counts as present only by evidence.
func (x *judgedRecord) present(f curlew.Field, value any) bool {
	found := x.locate(f.Name, numbers(value))
	return found.Seen == curlew.SeenVisible || found.Seen == curlew.SeenEmbedded || found.Seen == curlew.SeenDerived && found.Page != ""
}

// numbers turns the numbers of JSON into ours.
func numbers(value any) any {
	if f, ok := asFloat(value); ok {
		if whole := int64(f); float64(whole) == f {
			return whole
		}
		return f
	}
	return value
}

// says tells whether a text on the page means a value.
func (x *judgedRecord) says(f curlew.Field, text string, want any) bool {
	switch f.Type {
	case curlew.TypeTime, curlew.TypeDate:
		options := dates.Options{}
		if len(x.views) > 0 {
			options = x.views[0].options
		}
		day, clock := splitMoment(said(want))
		read, ok := dates.Parse(text, options)
		return ok && showsDay([]dates.Occurrence{{Date: read}}, day, clock) && (clock == "" || read.TimeKnown)
	case curlew.TypeMoney:
		price, ok := money.Parse(text, textOf(x.record, "currency"))
		if !ok {
			return false
		}
		units, ok1 := money.Minor(price.Amount, price.Currency)
		wanted, ok2 := asInt(want)
		return ok1 && ok2 && units == wanted
	case curlew.TypeText, curlew.TypeLong, curlew.TypeChoice:
		words := padded(strings.ReplaceAll(said(want), "_", " "))
		return words != " " && strings.Contains(padded(text), words)
	case curlew.TypeList:
		all := texts(want)
		return len(all) > 0 && !slices.ContainsFunc(all, func(one string) bool { return !strings.Contains(padded(text), padded(one)) })
	case curlew.TypeNumber, curlew.TypeInteger:
		return anyIn(padded(text), foldedAll(variants(numbers(want))))
	}
	return false
}

// drifted says what the rules did with a value that the page has.
func (x *judgedRecord) drifted(f curlew.Field, want, got any) string {
	for _, other := range fieldsOf(x.record) {
		if other != f.Name && x.field(other).Type == f.Type && same(f.Type, want, x.record.Fields[other]) {
			return fmt.Sprintf("the page has it, but it went into %s", other)
		}
	}
	if got == nil {
		return "the page has it, but no rule took it"
	}
	return fmt.Sprintf("the page has it, but the rule took %s", quote(got))
}

// leastPart is the share of a text's words that is a part worth the name.
const leastPart = 0.4

// partOf says which part of a value the page has, or "".
func (x *judgedRecord) partOf(f curlew.Field, want any) string {
	switch f.Type {
	case curlew.TypeTime, curlew.TypeDate:
		day, clock := splitMoment(said(want))
		if clock != "" && x.present(f, day) {
			return "the page gives the day, but not the time"
		}
	case curlew.TypeList:
		all := texts(want)
		n := 0
		for _, one := range all {
			if x.present(curlew.Field{Name: f.Name, Type: curlew.TypeList}, []string{one}) {
				n++
			}
		}
		if n > 0 {
			return fmt.Sprintf("the page has %d of %d", n, len(all))
		}
	case curlew.TypeText, curlew.TypeLong:
		words := strings.Fields(padded(said(want)))
		shown := sort.Search(len(words), func(n int) bool { return !x.views[0].pageText.ShowsText(strings.Join(words[:n+1], " ")) })
		if shown > 0 && float64(shown) >= leastPart*float64(len(words)) && (shown > 1 || len(words[0]) > 4) {
			return fmt.Sprintf("the page has only its first %s", text.Plural(shown, "word", "words"))
		}
	}
	return ""
}

// missing decides why there is no record for a row at all.
func (a *auditor) missing(row TruthRow) {
	m := Mismatch{Want: text.OneLine(nameOf(asRecord(row)), 120), Class: ParserDrift, Why: "no record was read; the page is not at hand"}
	host := siblingHost(row.URL, a.records)
	switch {
	case row.Document == nil && host != "":
		m.Class, m.Why = SubdomainVariant, fmt.Sprintf("records were read from %s only", quote(host))
	case row.Document == nil:
	case !a.recordFor(row, asRecord(row)).present(curlew.Field{Name: row.Kind().Title, Type: curlew.TypeText}, nameOf(asRecord(row))):
		m.Class, m.Sure, m.Why = SourceNotVisible, true, "the page does not name it"
	case a.read[row.Page]:
		m.Sure, m.Why = true, "other records were read from the same page, but not this one"
	case host != "":
		m.Class, m.Why = SubdomainVariant, fmt.Sprintf("the page names it, but records were read from %s only", quote(host))
	default:
		m.Class, m.Sure, m.Why = UnsupportedVariant, true, "the page names it, but nothing at all was read from this page"
	}
	a.note(row, m)
}

// siblingHost is the other host of the same domain from which all records are, or "".
func siblingHost(address string, records []curlew.Record) string {
	own, other := hostOf(address), ""
	for _, r := range records {
		host := hostOf(r.URL)
		if host == "" {
			continue
		}
		if host == own || own == "" || !text.SameSite(own, host) {
			return ""
		}
		other = host
	}
	return other
}
