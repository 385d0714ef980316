package feasibility

import (
	"regexp"

	"curlew/internal/curlew"
)

// guessSchema tells what records are by what they have, where no vocabulary says.
func guessSchema(t traits) curlew.SchemaName {
	switch {
	case t.most(hasTime) >= 0.5, t.share[hasDate] >= 0.5 && t.past < 0.5 && t.share[hasPlace] >= 0.3:
		return curlew.SchemaEvent
	case t.share[hasPrice] >= 0.5 && t.share[hasDate] < 0.5:
		return curlew.SchemaProduct
	case t.share[hasDate] >= 0.5 && t.past >= 0.5:
		return curlew.SchemaArticle
	case t.share[hasDate] >= 0.5:
		return curlew.SchemaEvent
	case t.most(hasPhone) >= 0.5, t.share[hasPlace] >= 0.7:
		return curlew.SchemaOrganization
	}
	return curlew.SchemaItem
}

// jobWords are what vacancies say in their lists.
var jobWords = regexp.MustCompile(`(?i)\b(?:full[- ]time|part[- ]time|vollzeit|teilzeit|temps plein|tiempo completo|pełny etat|` +
	`voltijd|heltid|salary|gehalt|salaire|per hour|an hour|a year|p\.a\.|m/w/d|remote|apply by|applicants|permanent|fixed[- ]term)\b`)

// guessRegionSchema looks at the words of records as well.
func guessRegionSchema(t traits, texts []string) curlew.SchemaName {
	jobs := 0
	for _, s := range texts {
		if jobWords.MatchString(s) {
			jobs++
		}
	}
	if len(texts) > 0 && jobs*2 > len(texts) {
		return curlew.SchemaJob
	}
	return guessSchema(t)
}
