package match

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/dates"
	"github.com/curlew-data/curlew/internal/text/money"
)

// kind is what the value of a field is, as far as it changes how two are compared.
type kind int

const (
	kindText kind = iota
	kindCode
	kindNumber
	kindPrice
	kindYear
	kindDate
	kindDuration
	kindPhone
)

// fact is a value that is not words.
type fact struct {
	kind   kind
	number float64 // an amount, a year, seconds, a day since 1970
	whole  bool    // a number without decimals
	digits string  // of a phone
	codes  []string
}

var (
	shapeYear     = text.Pattern(`^(1[89]|20)\d\d$`)
	shapeDuration = text.Pattern(`^\d{1,3}(:[0-5]\d){1,2}$`)
	shapePhone    = text.Pattern(`^\+?[\d\s()/.\-]{7,24}$`)
	shapeNumber   = text.Pattern(`^[-+]?\d[\d.,]*\s?(%|\pL{1,3}\.?)?$`)
	dateWord      = text.Pattern(`\pL+`)
	shapeDate     = text.Pattern(`\d{4}|\d[-/. ]\pL{3,9}[-/. ,]|\d[-/.]\d{1,2}[-/.]\d`)
	priceNames    = text.Pattern(`(?i)price|cost|amount|preis|prix|precio|prezzo|cena`)
	shapePrice    = text.Pattern(`^(\p{Sc}|[A-Z]{3}\s)\s?\d[\d.,\s]*$|^\d[\d.,\s]*\s?(\p{Sc}|\s[A-Z]{3})$`)
)

// readers are tried one after the other; the first that knows the value has it.
var readers = []func(Field) (fact, bool){readYear, readDuration, readPrice, readDate, readPhone, readNumber, readCode}

// factOf reads a value that is not words.
func factOf(f Field) (fact, bool) {
	if len(f.Value) > 40 || !hasDigit(f.Value) || nameWords().MatchString(text.Unaccented(f.Name)) {
		return fact{}, false
	}
	for _, read := range readers {
		if found, ok := read(f); ok {
			return found, true
		}
	}
	return fact{}, false
}

func readYear(f Field) (fact, bool) {
	year, err := strconv.Atoi(f.Value)
	ok := err == nil && shapeYear().MatchString(f.Value) && !priceNames().MatchString(f.Name)
	return fact{kind: kindYear, number: float64(year)}, ok
}

func readDuration(f Field) (fact, bool) {
	if !shapeDuration().MatchString(f.Value) {
		return fact{}, false
	}
	return fact{kind: kindDuration, number: seconds(f.Value)}, true
}

func readPrice(f Field) (fact, bool) {
	if !priceNames().MatchString(f.Name) && !shapePrice().MatchString(f.Value) {
		return fact{}, false
	}
	price, ok := money.ParseIn(f.Value, "", "")
	amount, err := strconv.ParseFloat(price.Amount, 64)
	return fact{kind: kindPrice, number: amount}, ok && err == nil && amount > 0
}

func readPhone(f Field) (fact, bool) {
	digits := text.Digits(f.Value)
	ok := shapePhone().MatchString(f.Value) && len(digits) >= 7 && strings.ContainsAny(f.Value, " /-.(")
	return fact{kind: kindPhone, digits: digits}, ok
}

// readCode takes a value for a code if most of it is one.
func readCode(f Field) (fact, bool) {
	codes := codesOf(f.Value)
	ok := len(codes) > 0 && 5*len(codes[len(codes)-1]) >= 2*len(text.Letters(f.Value))
	return fact{kind: kindCode, codes: codes}, ok
}

func seconds(clock string) float64 {
	total := 0
	for part := range strings.SplitSeq(clock, ":") {
		n, _ := strconv.Atoi(part)
		total = total*60 + n
	}
	return float64(total)
}

// readNumber reads a number that counts or measures; long whole numbers are codes.
func readNumber(f Field) (fact, bool) {
	value := f.Value
	if !shapeNumber().MatchString(value) {
		return fact{}, false
	}
	plain := strings.TrimRight(value, "%. ")
	end := strings.LastIndexAny(plain, "0123456789") + 1
	plain = strings.ReplaceAll(plain[:end], ",", "")
	number, err := strconv.ParseFloat(plain, 64)
	whole := number == math.Trunc(number) && end == len(value)
	if err != nil || whole && len(plain) >= 5 {
		return fact{}, false
	}
	return fact{kind: kindNumber, number: number, whole: whole}, true
}

// someDay is what relative words are counted from: they are the same in both records.
var someDay = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func readDate(f Field) (fact, bool) {
	value := f.Value
	if !shapeDate().MatchString(value) || len(dateWord().FindAllString(value, -1)) > 2 || len(strings.Fields(value)) > 4 {
		return fact{}, false
	}
	date, ok := dates.Parse(value, dates.Options{Now: someDay, Past: true})
	if !ok || date.Relative != dates.Absolute {
		return fact{}, false
	}
	return fact{kind: kindDate, number: float64(date.Start.Unix()) / 86400}, true
}

// compare says how much two facts agree and how much they contradict each other, each from
// 0 to 1; ok is false where they cannot be compared.
func (f fact) compare(g fact) (agree, differ float64, ok bool) {
	if f.kind == kindYear && g.kind == kindDate {
		f, g = g, f
	}
	if f.kind == kindDate && g.kind == kindYear {
		f = fact{kind: kindYear, number: float64(time.Unix(int64(f.number*86400), 0).UTC().Year())}
	}
	if f.kind != g.kind {
		return 0, 0, false
	}
	switch apart := math.Abs(f.number - g.number); f.kind {
	case kindYear:
		return graded(apart, 0, 1)
	case kindDate:
		return graded(apart, 1, 60)
	case kindDuration:
		return graded(apart, 2, 15)
	case kindPhone:
		return either(strings.HasSuffix(f.digits, g.digits) || strings.HasSuffix(g.digits, f.digits))
	case kindCode:
		return either(f.sharesCode(g))
	case kindPrice:
		return graded(math.Abs(math.Log(f.number/g.number)), 0.02, 1)
	default:
		if f.whole && g.whole {
			return either(apart == 0)
		}
		return graded(apart/max(math.Abs(f.number), math.Abs(g.number), 1e-9), 0.02, 0.25)
	}
}

func (f fact) sharesCode(g fact) bool {
	for _, code := range f.codes {
		for _, other := range g.codes {
			if within(code, other) || within(other, code) {
				return true
			}
		}
	}
	return false
}

func either(same bool) (agree, differ float64, ok bool) { return truth(same), truth(!same), true }

// graded is full agreement up to a distance and full contradiction from another on.
func graded(distance, same, other float64) (agree, differ float64, ok bool) {
	if distance <= same {
		return 1, 0, true
	}
	if distance >= other {
		return 0, 1, true
	}
	differ = (distance - same) / (other - same)
	return 1 - differ, differ, true
}
