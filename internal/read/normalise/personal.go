package normalise

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"github.com/nyaruka/phonenumbers"
)

// personalNames are parts of field names that hold contacts of people.
var personalNames = wordlist.Named(words, "personal names")

// personalName tells a field that is for contacts of people, by its name.
func personalName(name string) bool {
	return personalNames().Has(choiceKey(baseName(name)))
}

// baseName is the field of a name in the provenance: "slots.Wo" belongs to "slots".
func baseName(name string) string {
	if base, _, ok := strings.Cut(name, "."); ok && base == "slots" {
		return base
	}
	return name
}

// dropPersonalFields drops fields that are for contacts of people.
func (w *work) dropPersonalFields() {
	if w.AllowPersonal {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.in)) {
		if personalName(name) {
			delete(w.in, name)
			delete(w.proof, name)
			w.personal(name, 1)
		}
	}
}

// personal counts what was taken out, and never tells it.
func (w *work) personal(field string, count int) {
	w.notes = append(w.notes, FieldNote{Field: field, Code: PersonalData, Sentence: "contacts of people were taken out", Count: count})
}

var (
	phoneLabel = text.Pattern(`(?i)(?:\b(?:tel(?:efon|éfono|efono|efonnr|ephone|\.)?|phone|tlf|tfn|fon|` +
		`mob(?:il|ile|iltelefon|\.)?|cell|handy|gsm|kom|kontakt|call|ring|puh|whatsapp)|тел|моб|☎|📞)[.:]{0,2}\s{0,2}(?:nr\.?\s?)?$`)
	obfuscatedAt = text.Pattern(`(?i)[\[(](?:at|æt|ät)[\])]`)
	mobileLabel  = text.Pattern(`(?i)\b(?:mob|mobil|mobile|cell|handy|gsm|kom)\b|моб`)
	// A label that announces a person, and the name behind it.
	strongLabel = text.Pattern(`(?i)(?:контактное лицо|\b(?:contact person|person of contact|kontaktperson|` +
		`kontakt person|ansprechpartner(?:in)?|ansprechperson|persona de contacto|personne à contacter|` +
		`osoba kontaktowa|kontaktní osoba|contactpersoon|yhteyshenkilö))\s{0,2}[:：–-]?\s{0,2}`)
	weakLabel  = text.Pattern(`(?i)\b(?:contact|kontakt|contacto|contatto|contato|kontakta|contactez)\s{0,2}[:：]\s{0,2}`)
	personName = text.Pattern(`^(?:\p{Lu}[\p{Ll}'’\-]+(?:\p{Lu}\p{Ll}+)?)` +
		`(?:[ \x{00a0}](?:van|von|de|der|den|da|di|del|bin|al)){0,2}` +
		`(?:[ \x{00a0}]\p{Lu}(?:[\p{Ll}'’\-]+(?:\p{Lu}\p{Ll}+)?|\.)){1,3}`)
	nameBefore = text.Pattern(`(?:\p{Lu}[\p{Ll}'’\-]+)(?:[ \x{00a0}]\p{Lu}(?:[\p{Ll}'’\-]+|\.)){1,2}[ \x{00a0}]?[,:;(<–-]?[ \x{00a0}]?$`)
)

// roles are mailboxes of organisations.
var roles = wordlist.Named(words, "roles")

// isRole tells the mailbox of an organisation from that of a person: by its name,
// or because it is called as its own domain is.
func isRole(address string) bool {
	address = strings.TrimPrefix(strings.ToLower(address), "mailto:")
	local, domain, ok := strings.Cut(address, "@")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(domain, ".")
	word := strings.FieldsFunc(local, func(r rune) bool { return r == '.' || r == '-' || r == '_' || r == '+' })
	return local == first || len(word) > 0 && roles().Has(word[0])
}

// scrub takes contacts of people out of a text, and counts them.
func (w *work) scrub(name, text string) string {
	if w.AllowPersonal || exempt[name] {
		return text
	}
	out, count := w.withoutContacts(text, sightFor(name))
	if count == 0 {
		return text
	}
	w.personal(name, count)
	return out
}

// maxEvidence is how much of the original text is kept: enough to find it on the page.
const maxEvidence = 1000

// plainEvidence is the original text of a field, fit for storage.
func (w *work) plainEvidence(name, text string) string {
	text = cutMarked(storable(cutMarked(text, 2*maxEvidence)), maxEvidence)
	if w.AllowPersonal || exempt[name] || w.impersonal(name) {
		return text
	}
	text, _ = w.withoutContacts(text, sightFor(name))
	return text
}

// impersonal says whether a field cannot hold a contact: what is no time, number or
// address of the web in it was not taken.
func (w *work) impersonal(name string) bool {
	f, known := w.schema.Field(name)
	switch f.Type {
	case curlew.TypeTime, curlew.TypeMoney, curlew.TypeNumber, curlew.TypeInteger, curlew.TypeBool, curlew.TypeChoice, curlew.TypeURL:
		return known
	}
	return false
}

// exempt are fields of numbers that look like phone numbers and are none.
var exempt = map[string]bool{"gtin": true, "sku": true, "mpn": true, "legal_id": true}

// sight is how closely phone numbers are looked for.
type sight int

const (
	ownPhone  sight = iota // the field is for the number of the organisation
	marked                 // only with a label or a country code: names have digits too
	everyLine              // also by their shape alone
)

func sightFor(name string) sight {
	switch name {
	case "phone":
		return ownPhone
	case "description", "description_snippet", "summary", "text", "markdown":
		return everyLine
	}
	return marked
}

// span is a piece of text to cut out.
type span struct{ begin, end int }

// withoutContacts cuts until nothing is left to cut: what stood on both sides of a
// cut may make a contact together.
func (w *work) withoutContacts(text string, sight sight) (string, int) {
	total := 0
	for range 8 {
		cut, count := w.cutContacts(text, sight)
		if count == 0 {
			break
		}
		text, total = cut, total+count
	}
	return text, total
}

// cutContacts cuts addresses, numbers and the names that stand with them.
func (w *work) cutContacts(text string, sight sight) (string, int) {
	if !mayHoldContacts(text) {
		return text, 0
	}
	spans := mails(text)
	if numbers := w.phones(text, sight); sight != ownPhone {
		spans = append(spans, numbers...)
	} else if len(numbers) > 0 && personName().MatchString(text) {
		return "", 1 // the number of a person, not of an organisation
	}
	spans = append(spans, labelled(text, spans)...)
	if len(spans) == 0 {
		return text, 0
	}
	slices.SortFunc(spans, func(a, b span) int { return a.begin - b.begin })
	out, at, count := text[:spans[0].begin], spans[0].end, 1
	var done strings.Builder
	for _, s := range spans[1:] {
		count++
		if s.begin < at {
			at = max(at, s.end)
			continue
		}
		out = mend(out, text[at:s.begin])
		if cut := strings.LastIndexByte(out, '\n'); cut > 0 { // only the line of a cut is mended
			done.WriteString(out[:cut])
			out = out[cut:]
		}
		at = s.end
	}
	done.WriteString(mend(out, text[at:]))
	return unwrapped(strings.TrimFunc(done.String(), isSpace)), count
}

// mend joins what stands on both sides of a cut, without the commas and brackets
// that only held what was cut.
func mend(left, right string) string {
	left, right = strings.TrimRight(left, " \u00a0"), strings.TrimLeft(right, " \u00a0")
	for left != "" && right != "" && strings.Contains("() <> []", left[len(left)-1:]+right[:1]) {
		left, right = strings.TrimRight(left[:len(left)-1], " \u00a0"), strings.TrimLeft(right[1:], " \u00a0")
	}
	switch {
	case left == "" || strings.HasSuffix(left, "\n"):
		return left + strings.TrimLeft(right, " \u00a0,;:|.)>]")
	case right == "" || strings.ContainsAny(right[:1], "\n.,;:!?)"):
		return strings.TrimRight(left, " \u00a0,;:|–-<(") + right
	}
	return left + " " + right
}

// unwrapped takes off brackets around all that is left.
func unwrapped(text string) string {
	inner, opens := strings.CutPrefix(text, "(")
	inner, closes := strings.CutSuffix(inner, ")")
	if opens && closes && !strings.ContainsAny(inner, "()") {
		return inner
	}
	return text
}

// mayHoldContacts spares most texts the search.
func mayHoldContacts(text string) bool {
	digits := 0
	for _, r := range text {
		if r == '@' {
			return true
		}
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits >= 6 || obfuscatedAt().MatchString(text) || mayBeLabelled(text) && strongLabel().MatchString(text)
}

// mayBeLabelled spares most texts the labels of people, all of which hold one of
// these stems in some case.
func mayBeLabelled(text string) bool {
	for _, stem := range []string{"onta", "nspre", "htey"} {
		if hasFold(text, stem) {
			return true
		}
	}
	return strings.Contains(text, "онтакт") || strings.Contains(text, "ОНТАКТ")
}

// hasFold looks for an ASCII stem in any case.
func hasFold(text, stem string) bool {
	for i := 0; i+len(stem) <= len(text); i++ {
		if text[i]|0x20 == stem[0] && strings.EqualFold(text[i:i+len(stem)], stem) {
			return true
		}
	}
	return false
}

// mails finds addresses of people, with the name before an address that repeats it.
func mails(text string) []span {
	var spans []span
	for _, at := range atSigns(text) {
		begin, end, ok := mailAround(text, at)
		if !ok || len(spans) > 0 && begin < spans[len(spans)-1].end {
			continue
		}
		address := text[begin:at.begin] + "@" + text[at.end:end]
		if isRole(address) {
			continue
		}
		begin -= len(text[:begin]) - len(strings.TrimSuffix(text[:begin], "mailto:"))
		spans = append(spans, span{nameOf(text, begin, strings.ToLower(address)), end})
	}
	return spans
}

// atSigns finds "@", and "(at)" with the blanks around it.
func atSigns(text string) []span {
	var signs []span
	for i := range len(text) {
		if text[i] == '@' {
			signs = append(signs, span{i, i + 1})
		}
	}
	for _, m := range obfuscatedAt().FindAllStringIndex(text, 1000) {
		signs = append(signs, span{len(strings.TrimRight(text[:m[0]], " ")), len(text) - len(strings.TrimLeft(text[m[1]:], " "))})
	}
	slices.SortFunc(signs, func(a, b span) int { return a.begin - b.begin })
	return signs
}

// mailAround reads the two sides of an address: at most 64 and 255 characters (RFC
// 5321), and a domain with a dot.
func mailAround(text string, at span) (begin, end int, ok bool) {
	begin, end = at.begin, at.end
	local := func(c byte) bool { return isWordByte(c) || strings.IndexByte("._%+-", c) >= 0 }
	domainByte := func(c byte) bool { return isWordByte(c) || c == '.' || c == '-' }
	for begin > 0 && at.begin-begin < 64 && local(text[begin-1]) {
		begin--
	}
	for end < len(text) && end-at.end < 255 && domainByte(text[end]) {
		end++
	}
	domain := strings.TrimRight(text[at.end:end], ".-")
	return begin, at.end + len(domain), begin < at.begin && strings.Contains(domain, ".")
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// nameOf extends a cut over the name before it, when the address says that name.
func nameOf(text string, at int, address string) int {
	window := text[max(0, at-80):at]
	loc := nameBefore().FindStringIndex(window)
	if loc == nil {
		return at
	}
	local, _, _ := strings.Cut(address, "@")
	for _, word := range strings.FieldsFunc(strings.ToLower(window[loc[0]:loc[1]]), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 2 && strings.Contains(local, word) && !strings.ContainsAny(window[loc[0]:loc[1]], "<(") {
			return at - (len(window) - loc[0])
		}
	}
	return at
}

// phones finds phone numbers: with a label, with a country code, or valid in the
// country of the page.
func (w *work) phones(text string, sight sight) []span {
	var spans []span
	for at := 0; at < len(text); at++ {
		if text[at] < '0' || text[at] > '9' {
			continue
		}
		end := digitsEnd(text, at)
		begin, prefixed := at, false
		for _, opener := range []string{"(+", "+", "("} {
			if strings.HasSuffix(text[:at], opener) {
				begin, prefixed = at-len(opener), opener != "("
				break
			}
		}
		window := text[max(0, begin-30):begin]
		label := ""
		if end-at >= 6 && !endsInWord(window) && !endsInDigit(window) {
			label = phoneLabel().FindString(window)
		}
		international := prefixed || strings.HasPrefix(text[at:], "00")
		apart := end-at >= 6 && (label != "" || !endsInWord(window))
		if apart && w.isPhone(text[begin:end], label != "", international, sight) {
			spans = append(spans, span{w.callee(text, begin-len(label), label), end})
		}
		at = end
	}
	return spans
}

// digitsEnd is where a run of digits ends that may be grouped as in phone numbers.
func digitsEnd(text string, at int) int {
	end := at + 1
	for i := at; i < len(text) && i-at < 24; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r >= '0' && r <= '9' {
			end = i + 1
		} else if !strings.ContainsRune(" \u00a0()/.-–", r) {
			break
		}
		i += size
	}
	return end
}

func endsInWord(s string) bool { return s != "" && isWordByte(s[len(s)-1]) && s[len(s)-1] < 0x80 }

// endsInDigit tells that no label stands there, which most often is so.
func endsInDigit(s string) bool {
	s = strings.TrimRight(s, " ")
	return s == "" || s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// callee extends a cut over the name before a mobile number.
func (w *work) callee(text string, begin int, label string) int {
	if !mobileLabel().MatchString(label) {
		return begin
	}
	window := text[max(0, begin-80):begin]
	if loc := nameBefore().FindStringIndex(window); loc != nil {
		return begin - (len(window) - loc[0])
	}
	return begin
}

// maxChecks bounds how many numbers of one record are looked up.
const maxChecks = 500

var notPhone = text.Pattern(`^\s*(?:\d{4}[-–/. ]\d{1,2}[-–/. ]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|` +
	`(?:19|20)\d\d\s?[-–/]\s?(?:19|20)\d\d)`)

func (w *work) isPhone(number string, labelled, international bool, sight sight) bool {
	digits := 0
	for _, r := range number {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if digits < 6 || digits > 15 || notPhone().MatchString(number) {
		return false
	}
	if labelled {
		return true
	}
	if w.checks++; w.checks > maxChecks {
		return international
	}
	local := digits >= 8 && w.Country != "" && strings.ContainsAny(strings.TrimSpace(number), " -/\u00a0")
	if !international && (sight == marked || !local) {
		return false
	}
	parsed, err := phonenumbers.Parse(number, w.Country)
	return err == nil && phonenumbers.IsValidNumber(parsed)
}

// labelled finds names behind "contact person:", and behind "contact:" when a
// number or an address of the same person follows.
func labelled(text string, cuts []span) []span {
	var spans []span
	if !mayBeLabelled(text) {
		return nil
	}
	for _, m := range strongLabel().FindAllStringIndex(text, 100) {
		if loc := personName().FindStringIndex(text[m[1]:]); loc != nil {
			spans = append(spans, span{m[0], m[1] + loc[1]})
		}
	}
	if len(cuts) == 0 {
		return spans
	}
	for _, m := range weakLabel().FindAllStringIndex(text, 100) {
		loc := personName().FindStringIndex(text[m[1]:])
		if loc == nil {
			continue
		}
		end := m[1] + loc[1]
		if slices.ContainsFunc(cuts, func(c span) bool { return c.begin <= end+30 && c.end > m[1] }) {
			spans = append(spans, span{m[0], end})
		}
	}
	return spans
}
