package filter

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/text/money"
)

// testChange asks about a field before and after. Whether a field changed always
// has an answer, also for one that is not there.
func (f *Filter) testChange(x Expr, e *ChangeView) verdict {
	d, changed := e.difference(x.Field)
	if !changed {
		return verdict{no, x.Field + " did not change"}
	}
	q := question{x.Field, f.typeOf(e, x.Field), e}
	told := fmt.Sprintf("%s went from %s to %s", x.Field, q.show(d.Old), q.show(d.New))
	switch x.Test {
	case Changed:
		return verdict{yes, told}
	case Gains, Loses:
		return q.turns(x, d)
	case Became, Was:
		side := d.New
		if x.Test == Was {
			side = d.Old
		}
		if side == nil {
			return verdict{no, told}
		}
		return verdict{q.equalsAny(side, x.Values).holds, told}
	}
	if _, moved := e.changes["currency"]; moved && q.kind == curlew.TypeMoney {
		return verdict{no, "the currency changed, so " + x.Field + " cannot be compared"}
	}
	if d.Old == nil || d.New == nil {
		return verdict{no, told}
	}
	if x.Test == FallsBelow || x.Test == RisesAbove {
		return verdict{q.crosses(x, d), told}
	}
	return verdict{q.moves(x, d), told}
}

// turns says whether a text came into a field, or went from it.
func (q question) turns(x Expr, d curlew.FieldChange) verdict {
	wanted := Expr{Test: Contains, Values: x.Values}
	before, after := q.text(wanted, d.Old).holds == yes, q.text(wanted, d.New).holds == yes
	if x.Test == Loses {
		before, after = after, before
	}
	word := map[Test]string{Gains: "gained", Loses: "lost"}[x.Test]
	return say(after && !before, "%s "+word+" %q", "%s neither gained nor lost %q", q.field, x.Values[0].Text)
}

// crosses says whether a threshold lies between before and after. Staying on one
// side of it is no crossing, and neither is reaching it.
func (q question) crosses(x Expr, d curlew.FieldChange) truth {
	before, _, ok1 := q.compare(d.Old, x.Values[0])
	after, _, ok2 := q.compare(d.New, x.Values[0])
	if !ok1 || !ok2 {
		return unknown
	}
	if x.Test == FallsBelow {
		return truthOf(before >= 0 && after < 0)
	}
	return truthOf(before <= 0 && after > 0)
}

// moves says whether a field went up or down, by enough.
func (q question) moves(x Expr, d curlew.FieldChange) truth {
	sign := 1
	if x.Test == Decreased {
		sign = -1
	}
	if before, after, ok := moments(d, q.kind); ok {
		if len(x.Values) == 0 {
			return truthOf(after.compare(before)*sign > 0)
		}
		if x.Values[0].Kind != LiteralDuration {
			return unknown
		}
		moved := after.at.Sub(before.at) * time.Duration(sign)
		return truthOf(moved > 0 && moved >= parseSpan(x.Values[0].Text))
	}
	before, ok1 := number(d.Old)
	after, ok2 := number(d.New)
	if !ok1 || !ok2 {
		return unknown
	}
	moved := new(big.Rat).Sub(after, before)
	if sign < 0 {
		moved.Neg(moved)
	}
	if moved.Sign() <= 0 || len(x.Values) == 0 {
		return truthOf(moved.Sign() > 0)
	}
	least, holds := q.least(x.Values[0], before)
	if holds != yes {
		return holds
	}
	return truthOf(moved.Cmp(least) >= 0)
}

// least is the smallest movement that counts. Of nothing there is no share: a price
// that was zero moves by no percentage.
func (q question) least(l Literal, before *big.Rat) (*big.Rat, truth) {
	switch l.Kind {
	case LiteralPercent:
		share, _ := new(big.Rat).SetString(l.Text)
		if before.Sign() == 0 {
			return nil, no
		}
		return share.Mul(share, new(big.Rat).Quo(new(big.Rat).Abs(before), big.NewRat(100, 1))), yes
	case LiteralNumber:
		r, why, ok := q.written(l)
		if !ok || why != "" {
			return nil, unknown
		}
		return r, yes
	}
	return nil, unknown
}

func moments(d curlew.FieldChange, kind curlew.FieldType) (moment, moment, bool) {
	if kind != curlew.TypeTime && kind != "" {
		return moment{}, moment{}, false
	}
	before, ok1 := parseMoment(plain(d.Old))
	after, ok2 := parseMoment(plain(d.New))
	return before, after, ok1 && ok2
}

// compare orders a value against a written one: as times, as money, as numbers.
// It is not ok when they cannot be compared; why tells, where it is worth telling.
func (q question) compare(v any, l Literal) (order int, why string, ok bool) {
	if q.kind == curlew.TypeTime || q.kind == "" && l.Kind == LiteralText {
		m, ok1 := parseMoment(plain(v))
		n, ok2 := parseMoment(l.Text)
		if ok1 && ok2 {
			return m.compare(n), "", true
		}
		return 0, "", false
	}
	if q.kind != "" && !numeric(q.kind) {
		return 0, "", false
	}
	n, isNumber := number(v)
	if !isNumber {
		return 0, "", false
	}
	wanted, why, ok := q.written(l)
	if !ok || why != "" {
		return 0, why, false
	}
	return n.Cmp(wanted), "", true
}

// written is a written number in the units of the field: minor units for money.
func (q question) written(l Literal) (*big.Rat, string, bool) {
	if !numberPattern().MatchString(l.Text) {
		return nil, "", false
	}
	if q.kind != curlew.TypeMoney {
		r, ok := new(big.Rat).SetString(l.Text)
		return r, "", ok
	}
	currency := q.event.currency()
	if l.Unit != "" && l.Unit != currency {
		if currency == "" {
			return nil, "the currency of " + q.field + " is not known", true
		}
		return nil, fmt.Sprintf("%s is in %s, not in %s", q.field, currency, l.Unit), true
	}
	units, ok := money.Minor(l.Text, currency)
	return new(big.Rat).SetInt64(units), "", ok
}

// show writes a value for a person.
func (q question) show(v any) string {
	if v == nil {
		return "nothing"
	}
	n, isNumber := v.(json.Number)
	if !isNumber {
		if s, ok := v.(string); ok && q.kind != curlew.TypeTime {
			return strconv.Quote(text.Clip(s, 40))
		}
		return text.Clip(plain(v), 40)
	}
	if units, err := n.Int64(); err == nil && q.kind == curlew.TypeMoney {
		text := money.Major(units, q.event.currency())
		if c := q.event.currency(); c != "" {
			text += " " + c
		}
		return text
	}
	return text.Clip(n.String(), 40)
}
