package demo

import (
	"fmt"
	"strings"
	"time"
)

// language is the words of a page's frame, which surrounds content everywhere and is
// never content, and how dates are written.
type language struct {
	Words    map[string]string
	Topics   []string // small links of big menus
	Months   []string // as in "18 kwietnia"
	Headings []string // as in "Kwiecień 2026"; nil: the same
	Short    []string
	Days     []string // from Sunday
	DayShort []string
}

var languages = embedded[map[string]language]("chrome/languages.json")

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
		out.WriteString(datePart(languages()[lang], pattern[i:end], t))
		i = end
	}
	return out.String()
}

func datePart(l language, letters string, t time.Time) string {
	switch letters {
	case "EEEE":
		return l.Days[t.Weekday()]
	case "EEE":
		return l.DayShort[t.Weekday()]
	case "MMMM":
		return l.Months[t.Month()-1]
	case "MMM":
		return l.Short[t.Month()-1]
	case "LLLL":
		if l.Headings != nil {
			return l.Headings[t.Month()-1]
		}
		return l.Months[t.Month()-1]
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
