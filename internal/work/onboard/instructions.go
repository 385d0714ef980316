package onboard

import (
	"net/url"
	"regexp"
	"strings"

	"curlew/internal/curlew"
)

// Instructions are what a person says about a site, as far as they can be followed.
type Instructions struct {
	Path     string            // "events on /agenda"
	Schema   curlew.SchemaName // "events", "vacancies"
	Selector string            // "selector: .card"
	Language string            // "Polish language"
	Zone     string            // "Europe/Warsaw"
	Upcoming bool              // "ignore past events"
	Rest     string            // what could not be followed
}

var (
	pathPattern     = regexp.MustCompile(`(?:^|[\s"'(])(/[A-Za-z0-9_\-./%?=&]+)`)
	selectorPattern = regexp.MustCompile(`(?i)\bselectors?\s*(?:[:=]\s*(?:"([^"\n]+)"|'([^'\n]+)'|` + "`([^`\n]+)`" + `|([.#\[*a-z][^\n;]*))|\s([.#\[][^\s;]+))`)
	kindPattern     = regexp.MustCompile(`(?m)^\s*kind:\s*(event|product|job|article|organization|item)\b`)
	sentenceEnd     = regexp.MustCompile(`[.!?,](?:\s|$)`)
	zonePattern     = regexp.MustCompile(`\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_]+(?:/[A-Za-z_]+)?\b`)
	upcomingPattern = regexp.MustCompile(`(?i)\b(ignore|skip|without|no|not)\s+(the\s+)?past\b|\b(only\s+)?(future|upcoming)\s+(events|only)\b|\bupcoming only\b`)
)

// schemaWords are what people call the things that a site lists.
var schemaWords = []struct {
	schema curlew.SchemaName
	words  []string
}{
	{curlew.SchemaJob, []string{"job", "vacanc", "career", "position", "stellen", "praca", "emploi", "empleo"}},
	{curlew.SchemaProduct, []string{"product", "price", "shop", "article for sale", "produkt", "offers for sale"}},
	{curlew.SchemaArticle, []string{"article", "news", "blog post", "press release", "stories"}},
	{curlew.SchemaOrganization, []string{"organi", "chapter", "branch", "member compan", "exhibitor"}},
	{curlew.SchemaEvent, []string{"event", "concert", "agenda", "meeting", "exhibition", "show", "calendar", "programme"}},
}

// languageNames are those that people name languages by, in English.
var languageNames = map[string]string{"english": "en", "polish": "pl", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl",
	"norwegian": "nb", "swedish": "sv", "danish": "da", "finnish": "fi", "czech": "cs", "slovak": "sk", "portuguese": "pt", "hungarian": "hu",
	"romanian": "ro", "ukrainian": "uk", "russian": "ru", "greek": "el", "turkish": "tr", "japanese": "ja", "chinese": "zh", "korean": "ko"}

// ReadInstructions follows what it understands of a person's words.
func ReadInstructions(text string) Instructions {
	var i Instructions
	i.Selector, text = readSelector(text)
	if m := pathPattern.FindStringSubmatch(text); m != nil {
		i.Path = strings.TrimRight(m[1], ".,;")
	}
	i.Zone = zonePattern.FindString(text)
	i.Upcoming = upcomingPattern.MatchString(text)
	lower := strings.ToLower(text)
	for name, tag := range languageNames {
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(lower) {
			i.Language = tag
		}
	}
	if m := kindPattern.FindStringSubmatch(lower); m != nil {
		i.Schema = curlew.SchemaName(m[1])
	}
	for _, s := range schemaWords {
		for _, word := range s.words {
			if i.Schema == "" && strings.Contains(lower, word) {
				i.Schema = s.schema
			}
		}
	}
	if i == (Instructions{}) {
		i.Rest = strings.TrimSpace(text)
	}
	return i
}

// readSelector takes the selector out of a text: what it is made of are no words of a
// person. One without quotes ends with its sentence; further ones may follow a comma.
func readSelector(text string) (selector, rest string) {
	at := selectorPattern.FindStringSubmatchIndex(text)
	if at == nil {
		return "", text
	}
	for group := 1; group <= 5; group++ {
		from, to := at[2*group], at[2*group+1]
		if from < 0 {
			continue
		}
		if group >= 4 {
			to = from + endOfSelector(text[from:to])
		}
		return strings.TrimSpace(text[from:to]), text[:at[0]] + " " + text[to:]
	}
	return "", text
}

// endOfSelector is where the sentence of a selector ends, or a word follows its comma.
func endOfSelector(text string) int {
	for _, m := range sentenceEnd.FindAllStringIndex(text, -1) {
		next := strings.TrimSpace(text[m[1]:])
		if text[m[0]] == ',' && next != "" && strings.ContainsAny(next[:1], ".#[*") {
			continue
		}
		return m[0]
	}
	return len(text)
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
