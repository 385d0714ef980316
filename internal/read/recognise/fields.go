package recognise

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/wordlist"
)

// statusWord tells the status of an event from that of a document.
var statusWord = text.Pattern(`(?i)cancel|postpon|sched|sold|confirm|moved|on.?sale|abgesagt|annul|odwo`)

// wanted is how a field of a schema is known among the paths of a record.
type wanted struct {
	field  string
	names  []string // meanings, best first; a leading "…" allows anything before
	fits   func(*valuePath) bool
	weight float64 // what the field says about the schema
	many   bool
}

func isText(l *valuePath) bool {
	texts := []kind{kindWords, kindHTML, kindDateText, kindLong, kindPath}
	return l.is(append(texts, kindPrice, kindNumber, kindCode)...) && l.some(texts...) && l.length() <= 300
}
func isProse(l *valuePath) bool  { return l.is(kindWords, kindHTML, kindLong, kindDateText, kindPrice) }
func isMoment(l *valuePath) bool { return l.is(kindMoment, kindDate, kindEpoch, kindDateText) }
func isWeb(l *valuePath) bool {
	return l.is(kindURL, kindPath) && (l.own() != "url" || l.some(kindURL) || l.length() > 3)
}
func isImage(l *valuePath) bool { return l.is(kindImage, kindURL, kindPath) }

// isAmount takes amounts, and prices among which words such as "free" stand.
func isAmount(l *valuePath) bool {
	return l.is(kindNumber, kindPrice) || l.some(kindPrice) && l.is(kindPrice, kindNumber, kindWords) && l.length() <= 20
}
func isNumber(l *valuePath) bool { return l.is(kindNumber) }
func isWord(l *valuePath) bool   { return l.is(kindWords, kindPath, kindCode) && l.length() <= 120 }
func isCode(l *valuePath) bool {
	return l.is(kindCode, kindNumber, kindWords, kindPath, kindEpoch, kindPhone) && l.length() <= 60
}
func isCurrency(l *valuePath) bool {
	return l.is(kindCurrency) || l.is(kindWords, kindCurrency) && l.length() <= 4
}
func isFlag(l *valuePath) bool {
	return l.is(kindBool) || l.is(kindWords, kindNumber) && l.length() < 20
}
func isStatus(l *valuePath) bool {
	return isWord(l) && slices.ContainsFunc(l.values, statusWord().MatchString)
}
func isPhone(l *valuePath) bool  { return l.is(kindPhone, kindNumber, kindEpoch) || l.some(kindPhone) }
func isDegree(l *valuePath) bool { return l.is(kindNumber) && l.length() >= 3 }

// tables list the fields of each schema in the order in which paths are given away.
var tables = sync.OnceValue(func() map[curlew.SchemaName][]wanted {
	return map[curlew.SchemaName][]wanted{
		curlew.SchemaEvent:        eventFields(),
		curlew.SchemaProduct:      productFields(),
		curlew.SchemaJob:          jobFields(),
		curlew.SchemaArticle:      articleFields(),
		curlew.SchemaOrganization: organizationFields(),
		curlew.SchemaItem:         itemFields(),
	}
})

func eventFields() []wanted {
	return []wanted{
		{"title", names("title"), isText, 1, false},
		{"starts_at", names("start"), isMoment, 3, false},
		{"ends_at", names("end"), isMoment, 1.5, false},
		{"venue_name", names("venue"), isText, 1.5, false},
		{"city", names("city"), isWord, 0.3, false},
		{"country", names("country"), isWord, 0.1, false},
		{"venue_address", names("address"), isText, 0.5, false},
		{"latitude", names("latitude"), isDegree, 0.2, false},
		{"longitude", names("longitude"), isDegree, 0.2, false},
		{"performers", names("event performers"), isText, 1, true},
		{"organizer", names("event organizer"), isText, 0.6, false},
		{"timezone", names("event timezone"), isWord, 0.5, false},
		{"all_day", names("event all_day"), isFlag, 0.8, false},
		{"online", names("event online"), isFlag, 0.3, false},
		{"price_min", names("event price_min", "price"), isAmount, 0.3, false},
		{"price_max", names("event price_max"), isAmount, 0.3, false},
		{"currency", names("currency"), isCurrency, 0.1, false},
		{"status", names("event status"), isStatus, 0.1, false},
		{"category", names("event category"), isWord, 0.1, false},
		{"image_url", names("image"), isImage, 0.1, false},
		{"description", names("prose"), isProse, 0.1, false},
		{"url", names("url"), isWeb, 0.1, false},
	}
}

func productFields() []wanted {
	return []wanted{
		{"name", names("title"), isText, 1, false},
		{"price", names("price"), isAmount, 3, false},
		{"price_was", names("product price_was"), isAmount, 1, false},
		{"currency", names("currency"), isCurrency, 0.3, false},
		{"brand", names("product brand"), isText, 1, false},
		{"sku", names("product sku"), isCode, 1, false},
		{"gtin", names("product gtin"), isCode, 1.5, false},
		{"mpn", names("product mpn"), isCode, 1, false},
		{"availability", names("product availability"), isFlag, 1, false},
		{"rating", names("product rating"), isNumber, 0.4, false},
		{"review_count", names("product review_count"), isNumber, 0.4, false},
		{"image_url", names("image"), isImage, 0.2, false},
		{"description", names("prose"), isProse, 0.1, false},
		{"url", names("url"), isWeb, 0.1, false},
	}
}

func jobFields() []wanted {
	return []wanted{
		{"title", names("job title", "title"), isText, 1, false},
		{"company", names("job company"), isText, 2, false},
		{"location", names("job location", "city"), isText, 0.5, false},
		{"remote", names("job remote"), isFlag, 2, false},
		{"salary_min", names("job salary_min"), isAmount, 2, false},
		{"salary_max", names("job salary_max"), isAmount, 1, false},
		{"salary_period", names("job salary_period"), isWord, 0.5, false},
		{"currency", names("job currency", "currency"), isCurrency, 0.1, false},
		{"employment_type", names("job employment_type"), isWord, 1, false},
		{"posted_date", names("job posted_date"), isMoment, 0.5, false},
		{"valid_through", names("job valid_through"), isMoment, 0.7, false},
		{"description_snippet", names("job description_snippet", "prose"), isProse, 0.1, false},
		{"url", names("job url", "url"), isWeb, 0.1, false},
	}
}

func articleFields() []wanted {
	return []wanted{
		{"title", names("article title", "title"), isText, 1, false},
		{"published_at", names("article published_at"), isMoment, 1.2, false},
		{"updated_at", names("article updated_at"), isMoment, 0.3, false},
		{"author", names("article author"), isText, 1.5, false},
		{"summary", names("article summary"), isProse, 1, false},
		{"text", names("article text"), isProse, 0.6, false},
		{"section", names("article section"), isWord, 0.4, false},
		{"language", names("article language"), isWord, 0.1, false},
		{"image_url", names("image"), isImage, 0.3, false},
		{"url", names("url"), isWeb, 0.6, false},
	}
}

func organizationFields() []wanted {
	return []wanted{
		{"name", names("organization name", "title"), isText, 1, false},
		{"legal_id", names("organization legal_id"), isCode, 2.5, false},
		{"address", names("address"), isText, 1.5, false},
		{"city", names("city"), isWord, 0.7, false},
		{"country", names("country"), isWord, 0.3, false},
		{"latitude", names("latitude"), isDegree, 0.4, false},
		{"longitude", names("longitude"), isDegree, 0.4, false},
		{"phone", names("organization phone"), isPhone, 1.5, false},
		{"activities", names("organization activities"), isWord, 0.2, true},
		{"url", names("url"), isWeb, 0.2, false},
	}
}

func itemFields() []wanted {
	return []wanted{
		{"title", names("title"), isText, 1, false},
		{"url", names("url"), isWeb, 1, false},
		{"image_url", names("image"), isImage, 0.5, false},
		{"text", names("item text", "prose"), isProse, 0.5, false},
		{"price", names("price"), isAmount, 0.5, false},
		{"date", names("item date", "start"), isMoment, 0.5, false},
	}
}

//go:embed fields.txt
var fieldsFile string

var fieldNames = wordlist.Embedded(fieldsFile)

// names are those of one or more lists of fields.txt.
func names(lists ...string) []string {
	var all []string
	for _, list := range lists {
		all = append(all, fieldNames().Of(list).Words...)
	}
	return all
}

// hints are words on the way to a group that name what it holds.
var hints = sync.OnceValue(func() map[curlew.SchemaName]*wordlist.List {
	all := map[curlew.SchemaName]*wordlist.List{}
	for _, schema := range []curlew.SchemaName{
		curlew.SchemaEvent, curlew.SchemaProduct, curlew.SchemaJob, curlew.SchemaArticle, curlew.SchemaOrganization,
	} {
		all[schema] = words().Of(string(schema) + " hints")
	}
	return all
})
