package recognise

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// kind is what a value looks like.
type kind int

const (
	kindNone kind = iota
	kindBool
	kindNumber
	kindMoment   // a date with a time
	kindDate     // a date alone
	kindEpoch    // seconds or milliseconds since 1970
	kindClock    // a time of day
	kindDateText // a date as people write it
	kindURL
	kindPath
	kindImage
	kindPrice // an amount with a currency
	kindCurrency
	kindHTML
	kindWords
	kindLong
	kindCode // an id, a token, a colour
	kindMail
	kindPhone
)

var (
	isoMoment = text.Pattern(`^\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}`)
	isoDate   = text.Pattern(`^\d{4}-\d{2}-\d{2}$|^(19|20)\d{2}(0[1-9]|1[0-2])([0-2]\d|3[01])$|` +
		`^\d{4}/\d{2}/\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{4}$`)
	clock      = text.Pattern(`(?i)^\d{1,2}([:.h]\d{2}(:\d{2})?)?\s*([ap]\.?m\.?|uhr|h)?$`)
	clockMark  = text.Pattern(`(?i)[:.h]\d{2}|[ap]\.?m|uhr`)
	yearOrTime = text.Pattern(`\b(19|20)\d{2}\b|\d{1,2}:\d{2}`)
	monthName  = text.Pattern(`(?i)(^|[^\pL])(jan|feb|mar|mär|apr|may|mai|mayo|maj|jun|jul|lip|aug|ago|aoû|sie|sep|wrz|` +
		`oct|okt|ott|paź|nov|lis|dec|dez|dic|déc|gru|ene|avr|abr|giu|lug|set|out|sty|lut|kwi|cze)\pL*`)
	priceText  = text.Pattern(`(?i)(` + currencyText + `)\s*[\d]|\d[\d.,\s]*\s?(` + currencyText + `|zł|kč)`)
	codeText   = text.Pattern(`^[A-Za-z0-9_\-:=+/.]{12,}$|^#[0-9a-fA-F]{3,8}$|^rgba?\(|^[0-9a-f]{8}-`)
	markupTag  = text.Pattern(`<(/?[a-zA-Z][a-zA-Z0-9]*)(\s[^<>]*)?/?>`)
	phoneText  = text.Pattern(`^\+?[\d\s()./-]{7,20}$`)
	plainCount = text.Pattern(`^-?\d+([.,]\d+)?$`)
)

const currencyText = `[$€£¥₽₴₹₩]|\b(usd|eur|gbp|pln|zł|czk|kč|chf|sek|nok|dkk|huf|ft|kr|ron|lei|cad|aud|jpy|inr|brl)\b`

// currencies are the codes that appear in the wild most; a value of three capital
// letters elsewhere is more often an airport or a state.
var currencies = wordlist.Named(words, "currencies")

// textOf writes a scalar of JSON; "" for what says nothing.
func textOf(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return strings.TrimSpace(v)
	}
	return ""
}

// kindOf tells what a scalar of JSON looks like, which is written as a text.
func kindOf(value any, text string) kind {
	switch value.(type) {
	case bool:
		return kindBool
	case json.Number, float64:
		return kindOfNumber(text)
	}
	return kindOfText(text)
}

// kindOfNumber takes whole numbers between 2001 and 2096 for moments.
func kindOfNumber(text string) kind {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return kindNumber
	case n > 1_000_000_000 && n < 4_000_000_000, n > 1_000_000_000_000 && n < 4_000_000_000_000:
		return kindEpoch
	case isoDate().MatchString(text):
		return kindDate
	}
	return kindNumber
}

func kindOfText(text string) kind {
	if len(text) > 200 {
		if markupTag().MatchString(text[:min(len(text), 4000)]) {
			return kindHTML
		}
		if !strings.ContainsAny(text[:200], " \n") {
			return kindOfLink(text)
		}
		return kindLong
	}
	if strings.ContainsAny(text, "0123456789") {
		if k := kindOfDigits(text); k != kindNone {
			return k
		}
	}
	switch {
	case len(text) == 3 && currencies().Has(text):
		return kindCurrency
	case strings.Contains(text, "<") && markupTag().MatchString(text):
		return kindHTML
	case strings.Contains(text, "@") && !strings.Contains(text, " ") && strings.Contains(text, "."):
		return kindMail
	}
	if link := kindOfLink(text); link != kindWords {
		return link
	}
	return kindWords
}

// The parts of addresses that lead to images: anywhere, and as the end of a name.
var (
	imageParts = []string{"/image/", "/images/", "imgix", "cloudinary", "/media/", "/photo/", "/photos/"}
	imageEnds  = []string{".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif", ".svg"}
)

// namesImage says whether an address leads to an image.
func namesImage(address string) bool {
	address = strings.ToLower(address)
	for _, part := range imageParts {
		if strings.Contains(address, part) {
			return true
		}
	}
	for _, end := range imageEnds {
		for rest := address; ; {
			_, after, found := strings.Cut(rest, end)
			if !found {
				break
			}
			if after == "" || after[0] == '?' || after[0] == '#' {
				return true
			}
			rest = after
		}
	}
	return false
}

// currencyCodes are the words of currencyText that are written in ASCII.
var currencyCodes = func() map[string]bool {
	known := map[string]bool{}
	for word := range strings.SplitSeq("usd eur gbp pln czk chf sek nok dkk huf ft kr ron lei cad aud jpy inr brl", " ") {
		known[word] = true
	}
	return known
}()

// namesCurrency says whether a text may have the sign or the code of a currency, at a fraction of what priceText costs.
func namesCurrency(text string) bool {
	text = strings.ToLower(text)
	if strings.ContainsAny(text, "$€£¥₽₴₹₩") || strings.Contains(text, "zł") || strings.Contains(text, "kč") {
		return true
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if currencyCodes[word] {
			return true
		}
	}
	return false
}

// kindOfDigits looks at texts with digits, which are dates, times, prices and
// numbers more often than others. It is asked first what costs least.
func kindOfDigits(text string) kind {
	if first := text[0]; first >= '0' && first <= '9' || first == '-' {
		if k := kindFromDigit(text); k != kindNone {
			return k
		}
	}
	if strings.Contains(text, "<") || strings.Contains(text, "://") {
		return kindNone
	}
	switch {
	case len(text) < 60 && namesCurrency(text) && priceText().MatchString(text):
		return kindPrice
	case len(text) < 80 && yearOrTime().MatchString(text) && monthName().MatchString(text):
		return kindDateText
	case len(text) < 24 && phoneText().MatchString(text):
		return kindPhone
	}
	return kindNone
}

// kindFromDigit looks at texts that begin with a digit.
func kindFromDigit(text string) kind {
	switch {
	case isoMoment().MatchString(text):
		return kindMoment
	case isoDate().MatchString(text):
		return kindDate
	case plainCount().MatchString(text):
		return kindOfNumber(text)
	case len(text) < 16 && clock().MatchString(text) && clockMark().MatchString(text):
		return kindClock
	}
	return kindNone
}

// kindOfLink tells addresses and codes from words.
func kindOfLink(text string) kind {
	if strings.ContainsAny(text, " \t\n") {
		return kindWords
	}
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "//") {
		if u, err := url.Parse(text); err != nil || u.Host == "" {
			return kindCode
		}
		if namesImage(text) {
			return kindImage
		}
		return kindURL
	}
	if strings.Contains(text, ".") && namesImage(text) {
		return kindImage
	}
	if strings.HasPrefix(text, "/") && len(text) > 1 {
		return kindPath
	}
	if isSlug(text) {
		return kindCode // the end of an address, of which the rest is not known
	}
	if codeText().MatchString(text) && strings.ContainsAny(text, "0123456789") {
		return kindCode
	}
	return kindWords
}

// isSlug says whether a word is the end of an address: jazz-at-the-hall.
func isSlug(text string) bool {
	hyphens := 0
	for _, r := range text {
		switch {
		case r == '-':
			hyphens++
		case unicode.IsUpper(r), !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '/':
			return false
		}
	}
	return hyphens >= 2 && strings.IndexFunc(text, unicode.IsLetter) >= 0
}
