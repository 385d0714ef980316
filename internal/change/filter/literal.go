package filter

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
)

var (
	numberPattern   = text.Pattern(`^[-+]?[0-9]{1,15}(\.[0-9]{1,9})?$`)
	joinedPattern   = text.Pattern(`^([-+]?[0-9.]+)([A-Z]{3})$`)
	currencyPattern = text.Pattern(`^[A-Z]{3}$`)
	spanPattern     = text.Pattern(`^([0-9]{1,6})([mhdw])$`)
)

// units are the durations that people may spell out.
var units = map[string]string{
	"m": "m", "min": "m", "minute": "m", "minutes": "m", "h": "h", "hour": "h", "hours": "h",
	"d": "d", "day": "d", "days": "d", "w": "w", "week": "w", "weeks": "w",
}

const maxListed = 64 // values of one list

// operands reads what a test takes.
func (p *parser) operands(g grammar) ([]Literal, error) {
	var values []Literal
	switch g.takes {
	case nothing:
		return nil, nil
	case optional:
		if !p.accept("by") {
			return nil, nil
		}
		fallthrough
	default:
		v, err := p.literal()
		if err != nil {
			return nil, err
		}
		values = []Literal{v}
	case list:
		var err error
		if values, err = p.list(); err != nil {
			return nil, err
		}
	}
	for i := range values {
		if why := values[i].suit(g.takes); why != "" {
			return nil, problem(p.source, values[i].span, "%s", why)
		}
	}
	return values, nil
}

func (p *parser) list() ([]Literal, error) {
	opening := p.peek()
	if !p.accept("(") {
		return nil, p.problem(opening, `after in comes a list: in ("one", "two")`)
	}
	var values []Literal
	for {
		v, err := p.literal()
		if err != nil {
			return nil, err
		}
		if values = append(values, v); len(values) > maxListed {
			return nil, problem(p.source, v.span, "a list has at most %d values", maxListed)
		}
		if !p.accept(",") {
			return values, p.close(opening)
		}
	}
}

// literal reads one value. A single word may stand without quotes.
func (p *parser) literal() (Literal, error) {
	t := p.next()
	switch {
	case t.kind == textToken:
		return Literal{Kind: LiteralText, Text: t.text, span: t.at}, nil
	case t.is("true") || t.is("false"):
		return Literal{Kind: LiteralBool, Text: strings.ToLower(t.text), span: t.at}, nil
	case t.kind == wordToken && currencyPattern().MatchString(t.text) && numberPattern().MatchString(p.peek().text) &&
		p.peek().kind == numberToken:
		number := p.next()
		return Literal{LiteralNumber, tidyNumber(number.text), t.text, place{t.at.begin, number.at.end}}, nil
	case t.kind == wordToken && !keywords[strings.ToLower(t.text)]:
		return Literal{Kind: LiteralText, Text: t.text, span: t.at}, nil
	case t.kind == numberToken:
		return p.number(t)
	}
	return Literal{}, p.problem(t, `a value is missing here: text in quotes ("jazz"), a number (12.50), true or false`)
}

// number reads what begins with a digit: 12.50, 12.50 EUR, 5%, 7d, 7 days, 2026-04-18.
func (p *parser) number(t token) (Literal, error) {
	after := p.peek()
	if m := joinedPattern().FindStringSubmatch(t.text); m != nil && numberPattern().MatchString(m[1]) {
		return Literal{LiteralNumber, tidyNumber(m[1]), m[2], t.at}, nil
	}
	if spanPattern().MatchString(t.text) {
		return Literal{Kind: LiteralDuration, Text: t.text, span: t.at}, nil
	}
	if numberPattern().MatchString(t.text) {
		return p.suffixed(t, after), nil
	}
	if _, ok := parseMoment(t.text); ok {
		return Literal{Kind: LiteralText, Text: t.text, span: t.at}, nil
	}
	return Literal{}, p.problem(t, "this is neither a number (12.50), a duration (7d) nor a date (2026-04-18)")
}

func (p *parser) suffixed(t, after token) Literal {
	l := Literal{Kind: LiteralNumber, Text: tidyNumber(t.text), span: place{t.at.begin, after.at.end}}
	unit, spelled := units[strings.ToLower(after.text)]
	switch {
	case after.is("%"):
		l.Kind = LiteralPercent
	case after.kind == wordToken && currencyPattern().MatchString(after.text):
		l.Unit = after.text
	case after.kind == wordToken && spelled && spanPattern().MatchString(l.Text+unit):
		l.Kind, l.Text = LiteralDuration, l.Text+unit
	default:
		l.span = t.at
		return l
	}
	p.next()
	return l
}

// tidyNumber leaves leading zeros alone: what looks like a number may be a code.
func tidyNumber(text string) string { return strings.TrimPrefix(text, "+") }

// fitting is what may stand at a place, and what to say where something else does.
type fitting struct {
	fits     func(Literal) bool
	sentence string
}

func ofKind(kind LiteralKind) func(Literal) bool {
	return func(l Literal) bool { return l.Kind == kind }
}

var (
	fittingValue = fitting{func(l Literal) bool { return l.Kind != LiteralPercent && l.Kind != LiteralDuration },
		"text, a number, true or false belongs here"}
	fittings = map[operand]fitting{
		value:       fittingValue,
		list:        fittingValue,
		textOperand: {ofKind(LiteralText), `text in quotes belongs here, as in: title contains "jazz"`},
		ordered:     {Literal.ordered, "a number (12.50, 12.50 EUR) or a date (2026-04-18) belongs here"},
		amount:      {ofKind(LiteralNumber), "a number belongs here: 12.50, or 12.50 EUR"},
		span:        {ofKind(LiteralDuration), "a duration belongs here: 30m, 12h, 7d or 2w"},
		optional:    {Literal.difference, "after by comes a number (5, 5.00 EUR), a share (5%) or a duration (1h), none below zero"},
	}
)

// ordered says whether a literal is more or less than others.
func (l Literal) ordered() bool {
	_, dated := parseMoment(l.Text)
	return l.Kind == LiteralNumber || l.Kind == LiteralText && dated
}

// difference says whether a literal may be the difference of two values.
func (l Literal) difference() bool {
	return l.Kind != LiteralText && l.Kind != LiteralBool && !strings.HasPrefix(l.Text, "-")
}

// suit makes a literal what its place asks for, or says why it cannot be.
func (l *Literal) suit(takes operand) string {
	l.tidy(takes)
	if f, asked := fittings[takes]; asked && !f.fits(*l) {
		return f.sentence
	}
	switch {
	case takes == textOperand && strings.TrimSpace(l.Text) == "":
		return "this text is empty, so it would be found everywhere"
	case takes == list && l.Unit != "":
		return "values of a list are written without a currency"
	}
	return l.bounded()
}

// tidy writes a number as JSON has it. Where text may stand, what JSON would write in
// another way is text: it may be a code.
func (l *Literal) tidy(takes operand) {
	plain := l.Kind == LiteralNumber && l.Unit == ""
	if tidy := jsonNumber(l.Text); (l.Kind == LiteralNumber || l.Kind == LiteralPercent) && tidy != l.Text {
		if plain && (takes == value || takes == list || takes == textOperand) {
			l.Kind = LiteralText
		} else {
			l.Text = tidy
		}
	}
	if plain && takes == textOperand {
		l.Kind = LiteralText
	}
}

func (l Literal) bounded() string {
	if !utf8.ValidString(l.Text) || strings.ContainsRune(l.Text, 0) {
		return "this text has bytes that no text has"
	}
	return ""
}

func parseSpan(text string) time.Duration {
	m := spanPattern().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n := time.Duration(0)
	for _, d := range m[1] {
		n = n*10 + time.Duration(d-'0')
	}
	each := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}
	return min(n*each[m[2]], 100*365*24*time.Hour)
}
