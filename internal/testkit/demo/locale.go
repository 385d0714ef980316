package demo

import (
	"fmt"
	"strings"
	"time"
)

// locale is how a language writes dates.
type locale struct {
	months   []string // as in "18 kwietnia"
	headings []string // as in "Kwiecień 2026"; nil: the same
	short    []string
	days     []string // from Sunday
	dayShort []string
}

func split(text string) []string { return strings.Fields(text) }

var locales = map[string]locale{
	"en": {months: split("January February March April May June July August September October November December"),
		short:    split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
		days:     split("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
		dayShort: split("Sun Mon Tue Wed Thu Fri Sat")},
	"pl": {months: split("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia"),
		headings: split("Styczeń Luty Marzec Kwiecień Maj Czerwiec Lipiec Sierpień Wrzesień Październik Listopad Grudzień"),
		short:    split("sty lut mar kwi maj cze lip sie wrz paź lis gru"),
		days:     split("niedziela poniedziałek wtorek środa czwartek piątek sobota"),
		dayShort: split("nd. pon. wt. śr. czw. pt. sob.")},
	"de": {months: split("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		short:    split("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
		days:     split("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
		dayShort: split("So Mo Di Mi Do Fr Sa")},
	"nl": {months: split("januari februari maart april mei juni juli augustus september oktober november december"),
		short:    split("jan feb mrt apr mei jun jul aug sep okt nov dec"),
		days:     split("zondag maandag dinsdag woensdag donderdag vrijdag zaterdag"),
		dayShort: split("zo ma di wo do vr za")},
	"nb": {months: split("januar februar mars april mai juni juli august september oktober november desember"),
		short:    split("jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des."),
		days:     split("søndag mandag tirsdag onsdag torsdag fredag lørdag"),
		dayShort: split("søn. man. tir. ons. tor. fre. lør.")},
	"fr": {months: split("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
		short:    split("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
		days:     split("dimanche lundi mardi mercredi jeudi vendredi samedi"),
		dayShort: split("dim. lun. mar. mer. jeu. ven. sam.")},
	"es": {months: split("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
		short:    split("ene feb mar abr may jun jul ago sep oct nov dic"),
		days:     split("domingo lunes martes miércoles jueves viernes sábado"),
		dayShort: split("dom lun mar mié jue vie sáb")},
	"it": {months: split("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
		short:    split("gen feb mar apr mag giu lug ago set ott nov dic"),
		days:     split("domenica lunedì martedì mercoledì giovedì venerdì sabato"),
		dayShort: split("dom lun mar mer gio ven sab")},
}

// formatDate writes a time by a pattern in the letters of Unicode TR 35: EEEE
// and EEE for the day of the week, d dd, M MM MMM MMMM, LLLL for a month that
// stands alone, yyyy, HH H, h, mm, a; text between apostrophes stands as it is.
func formatDate(lang, pattern string, t time.Time) string {
	var out strings.Builder
	for i := 0; i < len(pattern); {
		c := pattern[i]
		if c == '\'' {
			end := i + 1 + strings.IndexByte(pattern[i+1:], '\'')
			out.WriteString(pattern[i+1 : end])
			i = end + 1
			continue
		}
		end := i + 1
		for end < len(pattern) && pattern[end] == c {
			end++
		}
		out.WriteString(datePart(locales[lang], pattern[i:end], t))
		i = end
	}
	return out.String()
}

func datePart(l locale, letters string, t time.Time) string {
	switch letters {
	case "EEEE":
		return l.days[t.Weekday()]
	case "EEE":
		return l.dayShort[t.Weekday()]
	case "MMMM":
		return l.months[t.Month()-1]
	case "MMM":
		return l.short[t.Month()-1]
	case "LLLL":
		if l.headings != nil {
			return l.headings[t.Month()-1]
		}
		return l.months[t.Month()-1]
	}
	if layout, ok := dateLayouts[letters]; ok {
		return t.Format(layout)
	}
	if letters == "H" {
		return fmt.Sprint(t.Hour())
	}
	return letters
}

var dateLayouts = map[string]string{
	"d": "2", "dd": "02", "M": "1", "MM": "01", "yyyy": "2006", "yy": "06",
	"HH": "15", "h": "3", "mm": "04", "a": "PM", "aa": "pm",
}
