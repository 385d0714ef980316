package normalise

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// postal is an address in parts.
type postal struct{ street, code, city, region, country string }

// postalOf reads the parts of an address from a value that has parts.
func postalOf(value any) (postal, bool) {
	if text, ok := value.(string); ok && strings.HasPrefix(strings.TrimSpace(text), "{") && len(text) < maxLine {
		var parts map[string]any
		if json.Unmarshal([]byte(text), &parts) != nil {
			return postal{}, false
		}
		value = parts
	}
	parts, ok := value.(map[string]any)
	if !ok {
		return postal{}, false
	}
	if inner, ok := parts["address"].(map[string]any); ok {
		parts = inner
	}
	get := func(names ...string) string {
		for _, name := range names {
			if s := line(plainText(parts[name]), 300); s != "" {
				return s
			}
		}
		return ""
	}
	return postal{
		street:  get("streetAddress", "street", "street_address", "address1", "line1"),
		code:    get("postalCode", "postal_code", "zip", "zipcode", "postcode"),
		city:    get("addressLocality", "city", "locality", "town"),
		region:  get("addressRegion", "region", "state"),
		country: get("addressCountry", "country", "country_name"),
	}, true
}

// String writes an address on one line, without its country.
func (p postal) String() string {
	var parts []string
	for _, part := range []string{p.street, strings.TrimSpace(p.code + " " + p.city), p.region} {
		if part != "" && (len(parts) == 0 || !strings.EqualFold(part, p.city)) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// spreadPlaces fills city and country from an address in parts.
func (w *work) spreadPlaces() {
	for _, name := range []string{"venue_address", "address", "location"} {
		p, ok := postalOf(w.in[name])
		if !ok {
			continue
		}
		for field, value := range map[string]string{"city": p.city, "country": p.country} {
			if _, known := w.schema.Field(field); known && w.in[field] == nil && value != "" {
				w.in[field] = value
				w.derived(field, name)
			}
		}
	}
	if w.in["venue_address"] == nil && w.in["street"] != nil && w.schema.Name == "event" {
		w.in["venue_address"] = map[string]any{
			"street": w.in["street"], "postal_code": w.in["postal_code"], "city": w.in["city"], "region": w.in["region"],
		}
		w.derived("venue_address", "street")
	}
}

// A city at the end of an address: behind its postal code, as most of the world
// writes it ("5430 Ålesund", "00-950 Warszawa"), or before state and code ("Portland,
// ME 04101").
var (
	codeThenCity = text.Pattern(`(?:^|, ?|\n)(?:[A-Z]{1,2}-)?(?:\d{4} [A-Z]{2}|\d{4,5}|\d{2}-\d{3}|\d{3} \d{2}) ` +
		`([\p{L}][\p{L}' .\-]{1,40}?)(?:, ?[\p{L} ]{2,30})?$`)
	cityThenCode = text.Pattern(`(?:^|, ?|\n)([\p{L}][\p{L}' .\-]{1,40}), ?[A-Z]{2},? \d{5}(?:-\d{4})?(?:, ?[\p{L} ]{2,30})?$`)
)

// cityOfAddress reads the city from an address in one text, once that is clean.
func (w *work) cityOfAddress() {
	for _, name := range []string{"venue_address", "address"} {
		text, isText := w.out[name].(string)
		if _, known := w.schema.Field("city"); !known || !isText || w.out["city"] != nil || len(text) > 300 {
			continue
		}
		found := codeThenCity().FindStringSubmatch(text)
		if found == nil {
			found = cityThenCode().FindStringSubmatch(text)
		}
		if found != nil {
			w.out["city"] = found[1]
			w.derived("city", name)
		}
	}
}

// address reads an address in parts or as text.
func (w *work) address(value any) string {
	if p, ok := postalOf(value); ok {
		if s := p.String(); s != "" {
			return s
		}
	}
	text := paragraphs(unmarked(clipRaw(plainText(value))), maxLine, false)
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), ", ")
}

// countries knows the names of countries in the languages that pages are written in.
var countries = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for name, list := range words() {
		code, isCountry := strings.CutPrefix(name, "country ")
		if !isCountry || len(code) != 2 {
			continue
		}
		for _, alias := range list.Words {
			names[alias] = code
		}
	}
	for _, lang := range words().Of("country languages").Words {
		namer := display.Regions(language.MustParse(lang))
		for _, code := range regionCodes() {
			if name := strings.ToLower(namer.Name(code)); name != "" && names[name] == "" {
				names[name] = code.String()
			}
		}
	}
	return names
})

// regionCodes are all countries of ISO 3166.
func regionCodes() []language.Region {
	var codes []language.Region
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if r, err := language.ParseRegion(string(a) + string(b)); err == nil && r.IsCountry() && r.Canonicalize() == r {
				codes = append(codes, r)
			}
		}
	}
	return codes
}

// country gives the ISO code of a country, or the text as it is.
func country(text string) string {
	if code := countries()[strings.ToLower(text)]; code != "" {
		return code
	}
	text = strings.Trim(text, " .,")
	if code := countries()[strings.ToLower(text)]; code != "" {
		return code
	}
	if len(text) == 2 || len(text) == 3 {
		if r, err := language.ParseRegion(strings.ToUpper(text)); err == nil && r.IsCountry() {
			return r.Canonicalize().String()
		}
	}
	return text
}

// phone writes a number as E.164 when it is one, and otherwise leaves it.
func (w *work) phone(text string) string {
	if number, is := strings.CutPrefix(strings.ToLower(text), "tel:"); is {
		if decoded, err := url.PathUnescape(number); err == nil {
			text = decoded
		}
	}
	region := w.Country
	if value, ok := w.in["country"].(string); ok {
		if code := country(line(value, 300)); len(code) == 2 {
			region = code
		}
	}
	parsed, err := phonenumbers.Parse(text, strings.ToUpper(region))
	if err == nil && phonenumbers.IsValidNumber(parsed) && len(text) < 60 {
		return phonenumbers.Format(parsed, phonenumbers.E164)
	}
	w.note("phone", "doubtful", "the number is not valid in the country of the record, so it was left as written")
	return text
}

// language writes a tag by BCP 47.
func (w *work) language(text string) string {
	tag, err := language.Parse(text)
	if err != nil || tag == language.Und {
		w.note("language", "unknown_language", "the text is no language tag")
		return ""
	}
	return tag.String()
}

// gtin keeps the digits of a trade number and checks the last (GS1, section 7.9).
func (w *work) gtin(text string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text)
	sum := 0
	for i := range len(digits) {
		weight := 1
		if (len(digits)-i)%2 == 0 {
			weight = 3
		}
		sum += weight * int(digits[i]-'0')
	}
	if !slices.Contains([]int{8, 12, 13, 14}, len(digits)) || sum%10 != 0 {
		w.note("gtin", "doubtful", "the number is no valid GTIN")
	}
	if digits == "" {
		return ""
	}
	return digits
}
