package quality

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/text"
)

// Doubt is what a second judge may have against a value. The set is closed: whatever
// else somebody says is not heard.
type Doubt string

const (
	DoubtOtherField  Doubt = "other_field"  // it is the value of another field
	DoubtOtherRecord Doubt = "other_record" // it belongs to another record
	DoubtHeadline    Doubt = "headline"     // it is the headline of the page or of a section
	DoubtNavigation  Doubt = "navigation"   // it is the label of a link, button or menu
	DoubtDate        Doubt = "date"         // it is a date and no name
	DoubtCutOff      Doubt = "cut_off"      // it ends in the middle
	DoubtMarkup      Doubt = "markup"       // it has tags or entities in it
	DoubtMisread     Doubt = "misread"      // the page means another day, time or amount
	DoubtDecoration  Doubt = "decoration"   // it is a logo or a stand-in
	DoubtListPage    Doubt = "list_page"    // it leads to the list and not to the entity
	DoubtNotSaid     Doubt = "not_said"     // the page does not say this of the entity
)

// Doubts are all of them.
func Doubts() []Doubt {
	return []Doubt{
		DoubtOtherField, DoubtOtherRecord, DoubtHeadline, DoubtNavigation, DoubtDate, DoubtCutOff,
		DoubtMarkup, DoubtMisread, DoubtDecoration, DoubtListPage, DoubtNotSaid,
	}
}

// DoubtedValue is a doubt about one value, with words of the page that bear it out.
type DoubtedValue struct {
	Record  int    `json:"record"` // its place in the sample
	Field   string `json:"field"`
	Doubt   Doubt  `json:"doubt"`
	Belongs string `json:"belongs,omitempty"` // of other_field: to which one
	Got     string `json:"got"`
	Quote   string `json:"quote"` // that is on the page
}

// Opinion is what a second judge says, whose word is no proof: a language model. It can
// lower what the first one said, never raise it.
type Opinion struct {
	Answered  bool           `json:"heard"`
	Note      string         `json:"note,omitempty"` // why it was not heard
	Asked     map[string]int `json:"asked,omitempty"`
	Doubted   []DoubtedValue `json:"objections,omitempty"`
	Dismissed int            `json:"dismissed,omitempty"` // answers that did not hold against the page
}

// ByModel is who found a systematic error that the pages alone do not show.
const ByModel = "model"

// objectedShare is the share of the values of a field that must be doubted for it to
// count, and objectedLeast how many: one doubt is a slip.
const objectedShare, objectedLeast = 0.5, 2

// WithOpinion adds a second opinion. What is doubted throughout becomes a systematic error,
// before which a sample does not pass.
func (j Judgement) WithOpinion(o Opinion) Judgement {
	j.Opinion = &o
	type doubted struct {
		field   string
		doubt   Doubt
		belongs string
	}
	var order []doubted
	by := map[doubted][]DoubtedValue{}
	for _, x := range o.Doubted {
		d := doubted{x.Field, x.Doubt, x.Belongs}
		if by[d] == nil {
			order = append(order, d)
		}
		by[d] = append(by[d], x)
	}
	j.Systematic = slices.Clone(j.Systematic)
	for _, d := range order {
		n, of := len(by[d]), o.Asked[d.field]
		if n < objectedLeast || float64(n) < objectedShare*float64(of) {
			continue
		}
		e := SystematicError{Code: codeOf(d.field, d.doubt, d.belongs), Severity: SeverityError, Field: d.field, By: ByModel, Count: n, Of: of,
			Share: math.Round(100*float64(n)/float64(max(1, of))) / 100, Suggestion: "Compare these records with their pages."}
		e.Sentence = fmt.Sprintf("a model says of %d of %d values of %s: %s", n, of, d.field, meaningOf(d.doubt, d.belongs))
		for _, x := range by[d] {
			e.Examples = few(e.Examples, fmt.Sprintf("%s (the page: %s)", text.OneLine(x.Got, 60), text.OneLine(x.Quote, 80)))
		}
		if !slices.ContainsFunc(j.Systematic, func(other SystematicError) bool { return other.Code == e.Code && other.Code != DoubtedByModel }) {
			j.Systematic = append(j.Systematic, e)
			j.Passed = false
			j.Sentence = strings.TrimPrefix(j.Sentence+"; "+e.Sentence, "; ")
		}
	}
	return j
}

// Doubted says whether only a second opinion keeps a sample from passing.
func (j Judgement) Doubted() bool {
	if j.Passed || j.Opinion == nil {
		return false
	}
	without := j
	without.Systematic = slices.DeleteFunc(slices.Clone(j.Systematic), func(e SystematicError) bool { return e.By == ByModel })
	without.decide(max(1, len(j.Records)))
	return without.Passed
}

// doubtCodes are the errors that doubts are known as. Fields are patterns, parted by
// spaces; none means any.
var doubtCodes = []struct {
	doubt   Doubt
	fields  string
	belongs string
	code    ErrorCode
}{
	{DoubtOtherField, "title name", "venue_name", TitleVenueSwapped},
	{DoubtOtherField, "venue_name", "title", TitleVenueSwapped},
	{DoubtOtherField, "performers", "organizer", OrganizerPerforms},
	{DoubtOtherField, "description", "title name", DescriptionIsTitle},
	{DoubtMisread, "*_at", "", DayMonthSwapped},
	{DoubtOtherRecord, "*_at", "", DatesAllEqual},
	{DoubtOtherRecord, "price*", "", OnePriceForAll},
	{DoubtHeadline, "title name", "", HeadlineAsTitle},
	{DoubtNavigation, "title name", "", NavigationAsTitle},
	{DoubtDate, "title name", "", DateAsTitle},
	{DoubtCutOff, "title name", "", TitlesTruncated},
	{DoubtMarkup, "", "", MarkupInText},
	{DoubtDecoration, "", "", PictureIsDecoration},
	{DoubtListPage, "", "", URLsAreListPage},
}

// codeOf is the error that a doubt is known as.
func codeOf(field string, d Doubt, belongs string) ErrorCode {
	for _, row := range doubtCodes {
		if row.doubt == d && fits(field, row.fields) && fits(belongs, row.belongs) {
			return row.code
		}
	}
	return DoubtedByModel
}

func fits(field, patterns string) bool {
	return patterns == "" || slices.ContainsFunc(strings.Fields(patterns), func(pattern string) bool {
		match, _ := path.Match(pattern, field)
		return match
	})
}

func meaningOf(d Doubt, belongs string) string {
	return map[Doubt]string{
		DoubtOtherField: "this is the " + belongs, DoubtOtherRecord: "this belongs to another record",
		DoubtHeadline: "this is a headline of the page", DoubtNavigation: "this is a label of the site",
		DoubtDate: "this is a date", DoubtCutOff: "this ends in the middle", DoubtMarkup: "this has markup in it",
		DoubtMisread: "the page means something else", DoubtDecoration: "this is decoration", DoubtListPage: "this leads to the list",
		DoubtNotSaid: "the page does not say this",
	}[d]
}
