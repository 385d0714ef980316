package recognise

import (
	"regexp"
	"slices"

	"curlew/internal/curlew"
)

// statusWord tells the status of an event from that of a document.
var statusWord = regexp.MustCompile(`(?i)cancel|postpon|sched|sold|confirm|moved|on.?sale|abgesagt|annul|odwo`)

// wanted is how a field of a schema is known among the leaves of a record.
type wanted struct {
	field  string
	names  []string // meanings, best first; a leading "…" allows anything before
	fits   func(*leaf) bool
	weight float64 // what the field says about the schema
	many   bool
}

func isText(l *leaf) bool {
	return l.is(kindWords, kindHTML, kindDateText, kindLong, kindPath, kindPrice, kindNumber, kindCode) && l.some(kindWords, kindHTML, kindDateText, kindLong, kindPath) && l.length() <= 300
}
func isProse(l *leaf) bool  { return l.is(kindWords, kindHTML, kindLong, kindDateText, kindPrice) }
func isMoment(l *leaf) bool { return l.is(kindMoment, kindDate, kindEpoch, kindDateText) }
func isWeb(l *leaf) bool {
	return l.is(kindURL, kindPath) && (l.own != "url" || l.some(kindURL) || l.length() > 3)
}
func isImage(l *leaf) bool { return l.is(kindImage, kindURL, kindPath) }

// isAmount takes amounts, and prices among which words such as "free" stand.
func isAmount(l *leaf) bool {
	return l.is(kindNumber, kindPrice) || l.some(kindPrice) && l.is(kindPrice, kindNumber, kindWords) && l.length() <= 20
}
func isNumber(l *leaf) bool { return l.is(kindNumber) }
func isWord(l *leaf) bool   { return l.is(kindWords, kindPath, kindCode) && l.length() <= 120 }
func isCode(l *leaf) bool {
	return l.is(kindCode, kindNumber, kindWords, kindPath, kindEpoch, kindPhone) && l.length() <= 60
}
func isCurrency(l *leaf) bool {
	return l.is(kindCurrency) || l.is(kindWords, kindCurrency) && l.length() <= 4
}
func isFlag(l *leaf) bool { return l.is(kindBool) || l.is(kindWords, kindNumber) && l.length() < 20 }
func isStatus(l *leaf) bool {
	return isWord(l) && slices.ContainsFunc(l.values, statusWord.MatchString)
}
func isDegree(l *leaf) bool { return l.is(kindNumber) && l.length() >= 3 }

var (
	titleNames   = []string{"title", "subject", "long title", "title short", "…title"}
	startNames   = []string{"start date", "start", "date start", "start date time", "start time", "date time start", "date", "date time", "date date", "performance date", "schedule start", "schedule start date", "schedule date", "session start", "instance start", "occurrence start", "event date", "event time", "meeting time", "meeting date", "hearing date", "show date", "session date", "…start date", "…date start", "…start"}
	endNames     = []string{"end date", "end", "date end", "end date time", "end time", "date time end", "…end date", "…date end", "…end"}
	venueNames   = []string{"venue title", "venue", "venue title display", "…venue title", "room title", "room", "cinema title", "cinema", "…room title"}
	addressNames = []string{"venue address", "address", "venue address address", "…localized address", "venue venue address", "venue address line", "venue address address 1", "address 1", "…address address", "venue address 1", "…venue address", "address line 1"}
	cityNames    = []string{"venue city", "city", "venue address city", "venue city title", "city title", "…city", "address venue", "venue address venue"}
	countryNames = []string{"venue country", "country", "venue address country", "country title", "country code", "…country", "…country code"}
	imageNames   = []string{"image url", "image", "image src", "…image url", "…image src", "…image", "image href", "image original url", "…image file title"}
	urlNames     = []string{"url", "url url", "url href", "public url", "web url", "detail url", "page url", "ticket url", "canonical url", "url self", "…full url", "absolute url", "external url", "url canonical", "url html"}
	proseNames   = []string{"description", "description description", "long description", "summary", "description summary", "note", "notes", "…description"}
	priceNames   = []string{"sale price", "price sale", "special price", "price", "price price", "price value", "price total", "price number", "price regular price", "unit price", "price unit", "price cents", "price minor", "variants price", "variant price", "…price", "…price value", "price was price", "price gross", "price incl tax"}
	currencyName = []string{"currency", "price currency", "currency code", "price currency code", "…currency", "…currency code"}
)

// tables list the fields of each schema in the order in which leaves are given away.
var tables = map[curlew.SchemaName][]wanted{
	curlew.SchemaEvent: {
		{"title", titleNames, isText, 1, false},
		{"starts_at", startNames, isMoment, 3, false},
		{"ends_at", endNames, isMoment, 1.5, false},
		{"venue_name", venueNames, isText, 1.5, false},
		{"city", cityNames, isWord, 0.3, false},
		{"country", countryNames, isWord, 0.1, false},
		{"venue_address", addressNames, isText, 0.5, false},
		{"latitude", []string{"latitude", "…latitude"}, isDegree, 0.2, false},
		{"longitude", []string{"longitude", "…longitude"}, isDegree, 0.2, false},
		{"performers", []string{"performer title", "performer", "…performer title", "…performer"}, isText, 1, true},
		{"organizer", []string{"organizer title", "organizer", "…organizer title"}, isText, 0.6, false},
		{"timezone", []string{"timezone", "time zone", "tz", "…timezone", "…time zone", "start time zone"}, isWord, 0.5, false},
		{"all_day", []string{"all date", "all day", "allday", "full date"}, isFlag, 0.8, false},
		{"online", []string{"online", "virtual", "isonline"}, isFlag, 0.3, false},
		{"price_min", append([]string{"price min", "min price", "price start", "…price min", "…min price", "price description"}, priceNames...), isAmount, 0.3, false},
		{"price_max", []string{"price max", "max price", "…price max", "…max price", "price end"}, isAmount, 0.3, false},
		{"currency", currencyName, isCurrency, 0.1, false},
		{"status", []string{"status", "status status"}, isStatus, 0.1, false},
		{"category", []string{"category title", "category", "major category", "…category title", "…category"}, isWord, 0.1, false},
		{"image_url", imageNames, isImage, 0.1, false},
		{"description", proseNames, isProse, 0.1, false},
		{"url", urlNames, isWeb, 0.1, false},
	},
	curlew.SchemaProduct: {
		{"name", titleNames, isText, 1, false},
		{"price", priceNames, isAmount, 3, false},
		{"price_was", []string{"was price", "price was", "was at price", "was", "…was price", "…price was", "…was at price", "was price price", "was price value"}, isAmount, 1, false},
		{"currency", currencyName, isCurrency, 0.3, false},
		{"brand", []string{"brand title", "brand", "…brand title"}, isText, 1, false},
		{"sku", []string{"sku", "id sku", "…sku", "number", "code"}, isCode, 1, false},
		{"gtin", []string{"gtin", "…gtin"}, isCode, 1.5, false},
		{"mpn", []string{"mpn", "…mpn"}, isCode, 1, false},
		{"availability", []string{"available", "status available", "…available", "available status"}, isFlag, 1, false},
		{"rating", []string{"rating", "rating average", "average rating", "rating rating", "…rating"}, isNumber, 0.4, false},
		{"review_count", []string{"review count", "reviews count", "rating count", "…review count", "…reviews count"}, isNumber, 0.4, false},
		{"image_url", imageNames, isImage, 0.2, false},
		{"description", proseNames, isProse, 0.1, false},
		{"url", urlNames, isWeb, 0.1, false},
	},
	curlew.SchemaJob: {
		{"title", append([]string{"title", "role", "job title", "position"}, titleNames...), isText, 1, false},
		{"company", []string{"company title", "company", "organization title", "organisation title", "…company title"}, isText, 2, false},
		{"location", append([]string{"venue title", "venue", "venue address", "venue city", "office title", "office", "city"}, cityNames...), isText, 0.5, false},
		{"remote", []string{"remote", "isremote", "…remote", "home office", "workplace category"}, isFlag, 2, false},
		{"salary_min", []string{"salary min", "min salary", "salary start", "…salary min", "salary", "salary price min", "salary value min"}, isAmount, 2, false},
		{"salary_max", []string{"salary max", "max salary", "salary end", "…salary max", "salary price max", "salary value max"}, isAmount, 1, false},
		{"salary_period", []string{"salary period", "salary interval", "salary unit", "salary per", "…period", "salary category"}, isWord, 0.5, false},
		{"currency", append([]string{"salary currency"}, currencyName...), isCurrency, 0.1, false},
		{"employment_type", []string{"employment category", "employment", "contract category", "contract", "commitment", "time category", "schedule", "category"}, isWord, 1, false},
		{"posted_date", []string{"published", "published date", "date published", "created", "created date", "date created", "date", "updated", "start published"}, isMoment, 0.5, false},
		{"valid_through", []string{"valid through", "expires", "expiry date", "deadline", "application deadline", "closing date", "end date", "end", "valid end", "expiration date", "apply end"}, isMoment, 0.7, false},
		{"description_snippet", append([]string{"summary"}, proseNames...), isProse, 0.1, false},
		{"url", append([]string{"apply url", "application url", "hosted url"}, urlNames...), isWeb, 0.1, false},
	},
	curlew.SchemaArticle: {
		{"title", append([]string{"title"}, titleNames...), isText, 1, false},
		{"published_at", []string{"published", "published date", "date published", "first published", "date gmt", "date", "created", "created date", "date created", "release date", "…published", "…published date", "display date"}, isMoment, 1.2, false},
		{"updated_at", []string{"updated", "updated date", "date updated", "…updated"}, isMoment, 0.3, false},
		{"author", []string{"author title", "author", "…author title", "author first title"}, isText, 1.5, false},
		{"summary", []string{"summary", "description summary", "summary description", "…summary"}, isProse, 1, false},
		{"text", []string{"description", "description description", "…description"}, isProse, 0.6, false},
		{"section", []string{"category title", "category", "primary category", "…category title"}, isWord, 0.4, false},
		{"language", []string{"language", "lang", "locale"}, isWord, 0.1, false},
		{"image_url", imageNames, isImage, 0.3, false},
		{"url", urlNames, isWeb, 0.6, false},
	},
	curlew.SchemaOrganization: {
		{"name", append([]string{"title", "legal title", "company title", "company"}, titleNames...), isText, 1, false},
		{"legal_id", []string{"krs", "nip", "regon", "vat id", "vat", "tax id", "registration number", "company number", "ein", "siren", "siret", "org number", "legal id", "ico", "cif"}, isCode, 2.5, false},
		{"address", addressNames, isText, 1.5, false},
		{"city", cityNames, isWord, 0.7, false},
		{"country", countryNames, isWord, 0.3, false},
		{"latitude", []string{"latitude", "…latitude"}, isDegree, 0.4, false},
		{"longitude", []string{"longitude", "…longitude"}, isDegree, 0.4, false},
		{"phone", []string{"phone", "phone number", "contact phone", "…phone"}, func(l *leaf) bool { return l.is(kindPhone, kindNumber, kindEpoch) || l.some(kindPhone) }, 1.5, false},
		{"activities", []string{"activities", "category title", "category", "industry", "sector", "services"}, isWord, 0.2, true},
		{"url", urlNames, isWeb, 0.2, false},
	},
	curlew.SchemaItem: {
		{"title", titleNames, isText, 1, false},
		{"url", urlNames, isWeb, 1, false},
		{"image_url", imageNames, isImage, 0.5, false},
		{"text", append([]string{"summary"}, proseNames...), isProse, 0.5, false},
		{"price", priceNames, isAmount, 0.5, false},
		{"date", append([]string{"published", "date"}, startNames...), isMoment, 0.5, false},
	},
}

// hints are words on the way to a group that name what it holds.
var hints = map[curlew.SchemaName]map[string]bool{
	curlew.SchemaEvent: words(`event events veranstaltung veranstaltungen termine termin evento eventos eventi wydarzenia wydarzenie imprezy spektakle repertuar concerts concert konzerte koncerty
 shows show performances performance screenings agenda calendar kalender calendario kalendarz gigs programme program spielplan sessions schedule exhibitions evenements événements talks tourdates upcoming seances`),
	curlew.SchemaProduct: words(`product products produkt produkte produkty producto productos produit produits prodotti artikel variants items goods catalog catalogue shop sku offers listings books`),
	curlew.SchemaJob: words(`job jobs vacancy vacancies career careers stellen stellenangebote stelle position positions praca oferty empleo empleos emploi emplois postings openings opportunities
 jobposting requisitions lavoro vacatures trabajos`),
	curlew.SchemaArticle: words(`article articles post posts news story stories blog entries entry aktualnosci aktuelles noticias actualites nachrichten recipe recipes rezept recept recette receta ricetta press`),
	curlew.SchemaOrganization: words(`organization organizations organisation organisations company companies firmen empresas ngos members stores shops locations venues branches dealers partners exhibitors members
 organizacje stowarzyszenia fundacje charities providers clinics restaurants businesses`),
}
