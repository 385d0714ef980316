package onboard

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// Instructions are what a person says about a site, as far as they can be followed.
type Instructions struct {
	Path     string            // "events on /agenda"
	Schema   curlew.SchemaName // "events", "vacancies", "kind: tender"
	Own      *curlew.Schema    // the definition of Schema, when it is an org's own
	Selector string            // "selector: .card"
	Language string            // "Polish language"
	Zone     string            // "Europe/Warsaw"
	Upcoming bool              // "ignore past events"
	Only     string            // "only jazz": words that entries must have one of, separated by commas
	Rest     string            // what was not understood
	Model    string            // what was understood on a model's word
}

// ofAnyKind are the instructions without the kind.
func (in Instructions) ofAnyKind() Instructions {
	in.Schema, in.Own = "", nil
	return in
}

var (
	pathPattern     = regexp.MustCompile(`(?:^|[\s"'(])(/[A-Za-z0-9_\-./%?=&]+)`)
	selectorPattern = regexp.MustCompile(`(?i)\bselectors?\s*(?:[:=]\s*(?:"([^"\n]+)"|'([^'\n]+)'|` + "`([^`\n]+)`" +
		`|([.#\[*a-z][^\n;]*))|\s([.#\[][^\s;]+))|\b(?:only|just)\s+((?-i:[.#][a-z])[^\s;,]*)`)
	headingPattern  = regexp.MustCompile(`(?i)\b(?:headings?|headlines?|sections?)\s*:?\s*["'“‘„]([^"'“”’\n]+)["'“”’]`)
	kindPattern     = regexp.MustCompile(`(?im)^[ \t]*kind:[ \t]*(\S*)[ \t]*$\n?`)
	sentenceEnd     = regexp.MustCompile(`[.!?,](?:\s|$)`)
	zonePattern     = regexp.MustCompile(`\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_]+(?:/[A-Za-z_]+)?\b`)
	upcomingPattern = regexp.MustCompile(`(?i)\b(ignore|skip|without|no|not)\s+(the\s+)?past\b|` +
		`\b(only\s+)?(future|upcoming)\s+(events|only)\b|\bupcoming only\b`)
)

// schemaWords are what people call the things that a site lists.
var schemaWords = []struct {
	schema curlew.SchemaName
	words  []string
}{
	{curlew.SchemaJob, []string{"job", "vacanc", "career", "position", "stellen", "praca", "emploi", "empleo"}},
	{curlew.SchemaProduct, []string{"product", "shop", "article for sale", "produkt", "offers for sale"}},
	{curlew.SchemaArticle, []string{"article", "news", "blog post", "press release", "stories"}},
	{curlew.SchemaOrganization, []string{"organi", "chapter", "branch", "member compan", "exhibitor"}},
	{curlew.SchemaEvent, []string{"event", "concert", "agenda", "meeting", "exhibition", "show", "calendar", "programme"}},
	{curlew.SchemaProduct, []string{"price"}}, // which other things have too
}

// someOf are words for some of the things of a kind: "only concerts" leaves out other events.
var someOf = regexp.MustCompile(`(?i)\b(concert|exhibition|meeting|show|press release)s?\b`)

// languageNames are those that people name languages by, in English.
var languageNames = map[string]string{
	"english": "en", "polish": "pl", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl",
	"norwegian": "nb", "swedish": "sv", "danish": "da", "finnish": "fi", "czech": "cs", "slovak": "sk", "portuguese": "pt", "hungarian": "hu",
	"romanian": "ro", "ukrainian": "uk", "russian": "ru", "greek": "el", "turkish": "tr", "japanese": "ja", "chinese": "zh", "korean": "ko",
}

// ReadInstructions follows what it understands of a person's words, and keeps the rest.
// Own are the kinds of the person's org.
func ReadInstructions(said string, own ...curlew.Schema) Instructions {
	i, _ := readInstructions(said, own...)
	return i
}

func readInstructions(said string, own ...curlew.Schema) (Instructions, masked) {
	var i Instructions
	m := masked{said: said, left: []byte(said)}
	var from, to int
	if i.Selector, from, to = readSelector(said); to > from {
		m.take(from, to)
	}
	if at := pathPattern.FindSubmatchIndex(m.left); at != nil {
		i.Path = strings.TrimRight(said[at[2]:at[3]], ".,;")
		m.take(at[2], at[3])
	}
	if zone := zonePattern.FindString(string(m.left)); knownZone(zone) {
		i.Zone = m.takeFirst(zonePattern)
	}
	for name, tag := range languageNames {
		if m.takeFirst(regexp.MustCompile(`(?i)\b`+name+`\b`)) != "" {
			i.Language = tag
		}
	}
	i.readKind(&m, slices.Concat(curlew.Schemas(), own).Current())
	if at := upcomingPattern.FindStringIndex(said); at != nil {
		i.Upcoming = true
		m.take(at[0], at[1])
	}
	i.Only = m.takeOnly()
	i.Rest = m.rest()
	return i, m
}

// readKind takes the kind that the words name: itself, by a word for its records, or in the path.
func (i *Instructions) readKind(m *masked, kinds curlew.Kinds) {
	if name, _ := KindIn(m.said); name != "" {
		if kind := kinds.Kind(curlew.SchemaName(name)); len(kind.Fields) > 0 {
			m.takeFirst(kindPattern)
			i.Schema, i.Own = kind.Name, kind.Own()
		}
	}
	i.Schema = cmp.Or(i.Schema, schemaNamed(notWanted.ReplaceAllString(string(m.left), " ")))
	for _, s := range schemaWords {
		for _, word := range s.words {
			if i.Schema == s.schema && !(word == "price" && comparing.MatchString(m.said)) {
				m.takeFirst(wordWith(word))
			}
		}
	}
	path := strings.ToLower(i.Path)
	for _, s := range schemaWords {
		if i.Schema == "" && slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(path, word) }) {
			i.Schema = s.schema
		}
	}
}

// schemaNamed is the kind that a text has a word for.
func schemaNamed(said string) curlew.SchemaName {
	for _, s := range schemaWords {
		for _, word := range s.words {
			if word == "price" && comparing.MatchString(said) {
				continue // "only under £100" is no word for products
			}
			if wordWith(word).MatchString(said) {
				return s.schema
			}
		}
	}
	return ""
}

// wordWith finds words that have some letters in them.
func wordWith(letters string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\p{L}*` + letters + `\p{L}*`)
}

// notWanted is a clause that says what a person does not want.
var notWanted = regexp.MustCompile(`(?i)\b(?:not|no|nothing (?:from|of|in)|without|except|excluding|leave out|ignore|skip)\b[^,;.\n]*`)

// knownZone says whether there is a time zone of that name.
func knownZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != ""
}

// onlyPattern begins what entries must be about, up to the end of the clause.
var (
	onlyPattern = regexp.MustCompile(`(?i)\b(?:only|just|nothing but)\b`)
	orPattern   = regexp.MustCompile(`(?i)\s+(?:and|or)\s+|\s*/\s*`)
)

// takeOnly are the words of a clause after "only" that nothing else was understood by.
func (m masked) takeOnly() string {
	at := onlyPattern.FindIndex(m.left)
	if at == nil {
		return ""
	}
	end := len(m.left)
	if stop := clauseEnd.FindIndex(m.left[at[1]:]); stop != nil {
		end = at[1] + stop[0]
	}
	if clause := m.said[at[1]:end]; comparing.MatchString(clause) || headingPattern.MatchString(clause) {
		return "" // no word that entries have
	}
	var all []string
	for _, part := range orPattern.Split(string(m.left[at[1]:end]), -1) {
		words := slices.DeleteFunc(strings.Fields(part), func(w string) bool {
			return slices.Contains(fillers, strings.ToLower(w)) || slices.Contains(anyOf, strings.ToLower(w))
		})
		if len(words) > 0 {
			all = append(all, strings.Trim(strings.Join(words, " "), `"'“”‘’`))
		}
	}
	if some := someOf.FindStringSubmatch(m.said[at[1]:end]); len(all) == 0 && some != nil {
		all = some[1:]
	}
	if len(all) == 0 {
		m.take(at[0], at[1])
		return ""
	}
	if slices.ContainsFunc(all, func(words string) bool { return len(strings.Fields(words)) > mostOnly }) {
		return ""
	}
	m.take(at[0], end)
	return strings.Join(all, ", ")
}

// comparing are words that compare: "only under £100", "only events after 15 January".
var comparing = regexp.MustCompile(`(?i)\b(?:under|over|above|below|less|more|cheaper|after|before|since|until|between|from` +
	`|max\.?|maximum|min\.?|minimum|at most|at least|up to)(?:\b|\s).*\d`)

// mostOnly is how many words what entries are about has; more are a sentence, and say
// something else.
const mostOnly = 3

// anyOf are words that stand for the entries themselves.
var anyOf = strings.Fields("about containing entries entry everything items mention mentioning name named ones records that things which")

// KindIn takes the kind out of instructions, where a line of its own names it: what it
// is, and the rest of them.
func KindIn(said string) (kind, rest string) {
	if m := kindPattern.FindStringSubmatch(said); m != nil {
		kind = strings.ToLower(m[1])
	}
	return kind, strings.TrimSpace(kindPattern.ReplaceAllString(said, ""))
}

// masked is a text with what was understood blanked out.
type masked struct {
	said string
	left []byte
}

func (m masked) take(from, to int) {
	for i := from; i < to; i++ {
		m.left[i] = ' '
	}
}

// takeFirst blanks out where a pattern is found, and returns what stood there.
func (m masked) takeFirst(pattern *regexp.Regexp) string {
	at := pattern.FindIndex(m.left)
	if at == nil {
		return ""
	}
	m.take(at[0], at[1])
	return m.said[at[0]:at[1]]
}

// fillers are words that say nothing by themselves.
var fillers = strings.Fields("a all an and are at by for from i in is it its language list lists of on only page pages please read site " +
	"but ones the their there these this those time times timezone to under use want watch we with zone selector")

var clauseEnd = regexp.MustCompile(`[,;\n]|[.!?](?:\s|$)`)

// rest are the clauses of which something is left.
func (m masked) rest() string {
	notInWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	var all []string
	from := 0
	for _, end := range append(clauseEnd.FindAllIndex(m.left, -1), []int{len(m.left), len(m.left)}) {
		words := strings.FieldsFunc(strings.ToLower(string(m.left[from:end[0]])), notInWord)
		if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fillers, w) }) {
			all = append(all, strings.TrimSpace(m.said[from:end[0]]))
		}
		from = end[1]
	}
	return strings.Join(all, clauseJoint)
}

// clauseJoint stands between clauses that are shown back.
const clauseJoint = "; "

// String says what was understood, as a person would.
func (i Instructions) String() string {
	var all []string
	add := func(format, value string) {
		if value != "" {
			all = append(all, fmt.Sprintf(format, value))
		}
	}
	records := "records at %s"
	switch i.Schema {
	case "":
	case curlew.SchemaPage:
		all, records = append(all, "the text of the page"), "only what is in %s"
	default:
		all = append(all, "every "+string(i.Schema))
	}
	add("under %s", i.Path)
	add(records, i.Selector)
	for name, tag := range languageNames {
		if tag == i.Language {
			add("in %s", strings.ToUpper(name[:1])+name[1:])
		}
	}
	add("times in %s", i.Zone)
	if i.Upcoming {
		all = append(all, "only upcoming ones")
	}
	add("only %s", i.Only)
	return strings.Join(all, ", ")
}

// Understood says what was understood of instructions and what was not; "" where there are none.
func (i Instructions) Summary() string {
	understood := i.String()
	if i.Model != "" {
		understood += " (a model took " + i.Model + ")"
	}
	switch {
	case understood == "" && i.Rest == "":
		return ""
	case i.Rest == "":
		return "instructions understood: " + understood
	case understood == "":
		return "instructions not understood: " + i.Rest
	}
	return "instructions understood: " + understood + "; not understood: " + i.Rest
}

// on is what can be followed of instructions on a page, and what they name that it does not have.
func (i Instructions) on(page extract.Material) (left Instructions, lacks []string) {
	doc := page.Document()
	if page.Body == nil || doc.IsJSON() {
		return i, nil
	}
	if css := i.Selector; css != "" {
		found, err := blueprint.NewRuleTester(&blueprint.Selector{CSS: css}, blueprint.PageInput{Document: doc})
		if err != nil || found.Records() == 0 {
			i.Selector, lacks = "", append(lacks, fmt.Sprintf("no element matches %q", css))
		}
	}
	var rest []string
	for _, clause := range strings.Split(i.Rest, clauseJoint) {
		named := headingPattern.FindStringSubmatch(clause)
		if named == nil || slices.ContainsFunc(doc.Headings(), func(h dom.Heading) bool { return text.Fold(h.Text) == text.Fold(named[1]) }) {
			rest = append(rest, clause)
			continue
		}
		lacks = append(lacks, fmt.Sprintf("no heading says %q", named[1]))
	}
	i.Rest = strings.Join(rest, clauseJoint)
	return i, lacks
}

// summaryOf says what was understood of instructions, what was not, and what the page does not have.
func (i Instructions) summaryOf(found Inspected) string {
	return i.SummaryFor(found.Home, found.instead)
}

// SummaryFor says what was understood of instructions, what was not, and what a page does not have; instead
// is why it was read instead of the one that they name.
func (i Instructions) SummaryFor(page extract.Material, instead string) string {
	i, lacks := i.on(page)
	if instead != "" {
		i.Path, lacks = "", append(lacks, instead)
	}
	if told := i.Summary(); told != "" {
		lacks = append([]string{told}, lacks...)
	}
	return strings.Join(lacks, clauseJoint)
}

// readSelector finds the selector in a text, and where it stands: what it is made of are
// no words of a person. One without quotes ends with its sentence; further ones may follow
// a comma.
func readSelector(said string) (selector string, from, to int) {
	at := selectorPattern.FindStringSubmatchIndex(said)
	if at == nil {
		return "", 0, 0
	}
	for group := 1; group <= 6; group++ {
		from, to := at[2*group], at[2*group+1]
		if from < 0 {
			continue
		}
		if group >= 4 {
			to = from + endOfSelector(said[from:to])
		}
		return strings.TrimSpace(said[from:to]), at[0], to
	}
	return "", 0, 0
}

// endOfSelector is where the sentence of a selector ends, or a word follows its comma.
func endOfSelector(said string) int {
	for _, m := range sentenceEnd.FindAllStringIndex(said, -1) {
		next := strings.TrimSpace(said[m[1]:])
		if said[m[0]] == ',' && next != "" && strings.ContainsAny(next[:1], ".#[*") {
			continue
		}
		return m[0]
	}
	return len(said)
}

// settings are what they say of the watch.
func (i Instructions) settings() curlew.WatchSettings {
	return curlew.WatchSettings{Zone: i.Zone, Only: i.Only, Upcoming: i.Upcoming}
}

// At is the address to begin with.
func (i Instructions) At(address string) string {
	if i.Path == "" {
		return address
	}
	base, err := url.Parse(address)
	if err != nil {
		return address
	}
	target, err := base.Parse(i.Path)
	if err != nil {
		return address
	}
	return target.String()
}
