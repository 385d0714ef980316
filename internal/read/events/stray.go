package events

import (
	"slices"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/labels"
	"github.com/curlew-data/curlew/internal/text/wordlist"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cue words before a date say that it is not the day of an entry but of its text,
// of a form, of a delivery.
var (
	cueBefore = text.Pattern(`(?i)(?:\b(?:today is|heute ist|vandaag is|aujourd.hui|nous sommes|hoy es|oggi è|dzisiaj jest|` +
		`idag är|i dag er|generated|posted|updated|published|publish|modified|revised|reviewed|created|` +
		`submitted|uploaded|written|edited|deadline|due|expires?|expired|copyright|effective|established|founded|adopted|amended|enacted|` +
		`approved|since|as of|dated|born|prior to|before|no later than|register by|registration by|rsvp by|apply by|order by|delivery|` +
		`delivered|deliver|ships?|shipped|arrives?|dispatch|on sale|sale starts|last changed?|ends?|ending|begins|began|through|thru|until|closes|` +
		`rescheduled from|moved from|postponed from|originally|veröffentlicht|aktualisiert|stand|erstellt|geändert|lieferung|publié|` +
		`publiée|mis à jour|livraison|publicado|actualizado|opublikowano|aktualizacja|dodano|dostawa|pubblicato|aggiornato|gepubliceerd|` +
		`geplaatst|publicerad|uppdaterad|julkaistu|says|wrote|replied|commented|schrieb|sagt|antwortete|a écrit|a dit|dice|escribió|` +
		`ha scritto|disse|escreveu|schreef|zegt|skrev|säger|sier|kirjoitti|zveřejněno|aktualizováno|publiceret|opdateret|publisert|` +
		`oppdatert|päivitetty|közzétéve|frissítve|publicat|actualizat|objavljeno|ažurirano|güncellendi|publicado em|atualizado|last update|aktualisierung|` +
		`aggiornamento|mise à jour|actualización|atualização|bijgewerkt|letzte änderung|dernière modification|última modificación|ultima modifica|laatst gewijzigd|` +
		`sidst ændret|sist endret|ostatnia zmiana|última alteração|viimeksi muokattu|utolsó módosítás)\b|` +
		`©)[^\pL\d]*(?:\pL{1,4}[^\pL\d]+){0,2}$`)
	// cueAbroad are cue words that begin or end with letters which \b knows nothing of.
	cueAbroad = text.Pattern(`(?i)(?:^|[^\pL\d])(?:napisał|napisała|говорит|сказал|сказала|написал|` +
		`написала|пишет|опубликовано|обновлено|добавлено|размещено|каже|пише|` +
		`опубліковано|оновлено|публикувано|обновено|објављено|ažurirano|` +
		`δημοσιεύτηκε|ενημερώθηκε|yayınlandı|yayımlandı|פורסם|עודכן|نشر|تم النشر|` +
		`منتشر شده|掲載日|投稿日|更新日|公開日|发布于|发布时间|更新时间|發佈於|게시일|작성일|` +
		`등록일|수정일)[^\pL\d]*(?:\pL{1,4}[^\pL\d]+){0,2}$`)
	cueAfter  = text.Pattern(`(?i)^[^\pL\d]{0,4}(?:\d+ comments?|by \p{Lu}|in: |posted|filed under|deadline|asti\b|saakka\b)`)
	timeStart = text.Pattern(`(?i)^\W{0,4}(?:at|from|um|à|o|kl\.?)?\s*(?:\d{1,2}(?:[:.h]\d\d|\s?[ap]\.?\s?m\b|\s?uhr\b|\s?h\b)|` +
		`noon\b|midnight\b)`)
	dateline = text.Pattern(`^\s*(?:[/(][^/)]{0,40}[/)]\s*)?(?:--|–|—|-)\s`)
)

// stampHeads at the head of a column mark days that are none of an entry.
var stampHeads = wordlist.Named(vocabulary, "stamp heads")

// stampWords in the names of classes mark the day of a text.
var stampWords = wordlist.Named(vocabulary, "stamp words")

// dropStrays removes the dates that are no entries: in the frame of the page, with
// a cue, inside running text. What stands in a margin counts when nothing else does.
func (r *reader) dropStrays() {
	var kept [3][]*date
	for _, d := range r.dates {
		if !r.stray(d) {
			z := r.lines[d.line].zone
			kept[z] = append(kept[z], d)
		}
	}
	kept[content] = r.withoutBeside(r.withoutItems(r.withoutNotes(r.withoutNamed(kept[content]))))
	kept[margin] = r.withoutBeside(kept[margin])
	switch {
	case distinctDays(kept[content]) >= 2:
		r.dates = kept[content]
	case distinctDays(kept[margin]) >= 2:
		r.dates = append(kept[content], kept[margin]...)
	case len(kept[content]) == 0:
		r.dates = slices.DeleteFunc(kept[frame], func(d *date) bool { return r.footing(d) })
	default:
		r.dates = kept[content]
	}
	r.sortDates()
}

// footing says whether a date stands in a footer or a comment rather than in
// navigation, where some sites list their meetings.
func (r *reader) footing(d *date) bool {
	for n := d.node; n != nil; n = n.Parent {
		if n.Data == "footer" {
			return true
		}
		if n.Type == html.ElementNode {
			for _, word := range words(dom.Attr(n, "class") + " " + dom.Attr(n, "id")) {
				if word == "footer" || strings.HasPrefix(word, "comment") || word == "copyright" {
					return true
				}
			}
		}
	}
	return false
}

func distinctDays(all []*date) int {
	days := map[string]bool{}
	for _, d := range all {
		days[d.day()] = true
	}
	return len(days)
}

func (r *reader) stray(d *date) bool {
	l := &r.lines[d.line]
	before := l.text[max(0, d.begin-60):d.begin]
	if d.begin == 0 && d.line > 0 && len(r.lines[d.line-1].text) < 30 && r.near(d.line-1, d.line) {
		before = r.lines[d.line-1].text
	}
	if (cued(before) || r.untilEnds(before)) && !d.moved && !r.rangedBackwards(d) {
		return true
	}
	if d.lastLine == d.line && cueAfter().MatchString(l.text[d.end:min(len(l.text), d.end+40)]) {
		return true
	}
	return r.isToday(d) || anyWordIn(r.columnHead(d.line), stampHeads()) || stamped(d.node) || r.inProse(d)
}

// cued says whether the words before a date say that it is none of an entry.
func cued(before string) bool {
	return cueBefore().MatchString(before) || cueAbroad().MatchString(before) || deadlineEnds(before)
}

// longestLabel is how many words a label has at most.
const longestLabel = 4

// deadlineEnds says whether a text ends in a label of the day until which one may apply: "Closing date:".
func deadlineEnds(before string) bool {
	all := strings.Fields(strings.TrimRight(before, " :\u00a0"))
	for n := 1; n <= min(longestLabel, len(all)); n++ {
		if labels.Of(strings.Join(all[len(all)-n:], " ")) == labels.Deadline {
			return true
		}
	}
	return false
}

// stamped says whether a class close around a date marks it as that of a text.
func stamped(n *html.Node) bool {
	for steps := 0; n != nil && steps < 3; n, steps = n.Parent, steps+1 {
		if slices.ContainsFunc(words(dom.Attr(n, "class")), stampWords().Has) {
			return true
		}
	}
	return false
}

// isToday says whether a date is no more than the day of reading, as pages show it at
// their head.
func (r *reader) isToday(d *date) bool {
	if d.hasClock && !r.showsNow(d) || !d.stop.IsZero() || d.how != "" {
		return false
	}
	if r.o.Now.IsZero() || !sameDay(d.start, r.o.Now) || !r.dateOnly(d.line) && !r.showsNow(d) {
		return false
	}
	for n := r.lines[d.line].holder; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Li, atom.Tr, atom.Article, atom.Dt, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return false
		}
	}
	return !r.oneOfMany(d)
}

// mostBeside is how many words stand beside the date and the time of a page's clock.
const mostBeside = 4

// showsNow says whether a line is the clock of the page: today, and the time at which it was asked for, in
// whatever zone.
func (r *reader) showsNow(d *date) bool {
	line := r.lines[d.line].text
	c := r.clockFor(d.line)
	if c == nil || len(strings.Fields(line[:d.begin]+line[d.end:])) > mostBeside+1 || r.o.Now.Truncate(24*time.Hour).Equal(r.o.Now) {
		return false
	}
	apart := ((60*c.Hour + c.Minute) - (60*r.o.Now.Hour() + r.o.Now.Minute())) % 30
	return min((apart+30)%30, (30-apart)%30) <= 3
}

// oneOfMany says whether another day stands alone in an element of the same make.
func (r *reader) oneOfMany(d *date) bool {
	made := func(line int) [4]string {
		n := r.lines[line].holder
		if n.Parent == nil {
			return [4]string{n.Data, dom.Attr(n, "class")}
		}
		return [4]string{n.Data, dom.Attr(n, "class"), n.Parent.Data, dom.Attr(n.Parent, "class")}
	}
	own := made(d.line)
	return slices.ContainsFunc(r.dates, func(other *date) bool {
		return !sameDay(other.start, d.start) && made(other.line) == own && r.dateOnly(other.line)
	})
}

func anyWordIn(text string, of *wordlist.List) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(w string) bool { return of.Has(strings.Trim(w, ".:*")) })
}

// rangedBackwards says whether "until" before a date is followed by its beginning.
func (r *reader) rangedBackwards(d *date) bool {
	l := &r.lines[d.line]
	if d.begin == 0 || !r.untilEnds(l.text[max(0, d.begin-24):d.begin]) {
		return false
	}
	for _, other := range r.dates[r.at[d.line]:r.at[d.line+1]] {
		if other.begin > d.end && fromWord().MatchString(l.text[d.end:other.begin]) {
			return true
		}
	}
	return false
}

// inProse says whether a date stands inside running text and says no time.
func (r *reader) inProse(d *date) bool {
	l := &r.lines[d.line]
	if d.hasClock || d.lastLine != d.line || len(l.text) < 110 || r.at[d.line+1]-r.at[d.line] > 2 {
		return false
	}
	if len(l.text) >= 200 && d.begin < 60 && dateline().MatchString(l.text[d.end:]) {
		return true // "ULM, May 5, 2026 -- The council …"
	}
	sentence := len(l.text) >= 140 || d.begin > 80 && strings.HasSuffix(l.text, ".")
	return d.begin > 40 && sentence && !timeStart().MatchString(l.text[d.end:min(len(l.text), d.end+16)])
}

// besideHeads begin the headings of what a page about one thing shows beside it.
var besideHeads = text.Pattern(`(?i)^(?:(?:see |view |show )?(?:more|other|related|similar|further)\b|you (?:may|might)\b|(?:customer |guest )?(?:reviews|comments)\b|` +
	`weitere\b|ähnliche\b|andere\b|bewertungen\b|d'autres\b|autres\b|avis\b|otros\b|más\b|altri\b|więcej\b|inne\b|podobne\b|opinie\b|meer\b)`)

// withoutBeside leaves out what a page about one thing shows beside it: the cards under
// "More events", the days of reviews. A page is about one thing where all else on it is of
// one day, told before any of these.
func (r *reader) withoutBeside(all []*date) []*date {
	var own []*date
	for _, d := range all {
		if !besideHeads().MatchString(r.headAbove(d.line)) {
			own = append(own, d)
		}
	}
	if len(own) == 0 || distinctDays(own) > 1 || own[0] != all[0] {
		return all
	}
	return own
}

// headAbove is the nearest heading above a line.
func (r *reader) headAbove(line int) string {
	for i := line - 1; i >= 0; i-- {
		if level := r.lines[i].level; level > 0 && level < 7 {
			return r.lines[i].text
		}
	}
	return ""
}

// noteStart begins a remark on a list.
var noteStart = text.Pattern(`(?i)^\**\s*(?:please note|notes?|hinweis|anmerkung|remarque|nota|uwaga|let op|obs)\b`)

// withoutNotes leaves out the days in remarks on a table of entries.
func (r *reader) withoutNotes(all []*date) []*date {
	inTable := func(d *date) bool { return rowOf(d.node) != nil }
	var rows []*date
	for _, d := range all {
		if inTable(d) {
			rows = append(rows, d)
		}
	}
	if distinctDays(rows) < 3 {
		return all
	}
	return slices.DeleteFunc(all, func(d *date) bool { return noteStart().MatchString(r.lines[d.line].text) && !inTable(d) })
}

// withoutItems leaves out the tables that tell what is on the agenda of the entries of
// another: other columns, more rows, and in every row a day of the table before.
func (r *reader) withoutItems(all []*date) []*date {
	var tables []*html.Node
	rows := map[*html.Node]map[*html.Node][]*date{}
	for _, d := range all {
		row := rowOf(d.node)
		if row == nil {
			continue
		}
		table := tableOf(row)
		if rows[table] == nil {
			rows[table] = map[*html.Node][]*date{}
			tables = append(tables, table)
		}
		rows[table][row] = append(rows[table][row], d)
	}
	items := map[*html.Node]bool{}
	for i, table := range tables[:max(0, len(tables)-1)] {
		days := map[string]bool{}
		for _, dates := range rows[table] {
			days[dates[0].day()] = true
		}
		if items[table] || len(days) < len(rows[table]) || len(days) < 2 || !eventWords().in(strings.Join(r.headsOf(table), " ")) {
			continue
		}
		known := func(d *date) bool { return days[d.day()] }
		for _, other := range tables[i+1:] {
			items[other] = len(rows[other]) > len(days) && !slices.Equal(r.headsOf(other), r.headsOf(table))
			for _, dates := range rows[other] {
				items[other] = items[other] && slices.ContainsFunc(dates, known)
			}
		}
	}
	return slices.DeleteFunc(all, func(d *date) bool { row := rowOf(d.node); return row != nil && items[tableOf(row)] })
}
