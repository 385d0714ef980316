package match

import "strings"

// codes compares model numbers and identifiers, wherever they stand.
func (s *Signs) codes(a, b *prepared) {
	shared := a.sharedCode(b)
	if shared == "" {
		shared = b.sharedCode(a)
	}
	switch {
	case shared != "":
		s.Values[codeShared] = 1
		s.notes = append(s.notes, note{said: "same code " + shared, agree: 1})
	case len(a.codes) > 0 && len(b.codes) > 0:
		s.Values[codeDiffer] = 1
		s.notes = append(s.notes, note{said: "codes differ"})
	}
}

// sharedCode is a code that the other record says too, also with other signs between.
func (p *prepared) sharedCode(other *prepared) string {
	for _, code := range p.codes {
		if len(code) >= 5 && within(code, other.letters) {
			return code
		}
		for _, one := range other.codes {
			if code == one {
				return code
			}
		}
	}
	return ""
}

// fields compares fields of the same name, and facts of one kind under any name.
func (s *Signs) fields(a, b *prepared, r *rarity) {
	var all overlap
	for i, f := range a.fields {
		j := b.counterpart(a, i)
		if j < 0 || i == a.name && j == b.name {
			continue
		}
		g := b.fields[j]
		if agree, differ, ok := f.compare(g); ok {
			s.fact(f, g, agree, differ)
			if agree > 0.5 && f.fact.kind != kindPrice {
				s.Values[factRare] = max(s.Values[factRare], agree*min(r.weight(f.value()), r.weight(g.value())))
			}
			continue
		}
		o := overlapOf(f.tokens, g.tokens)
		all.shared, all.a, all.b = all.shared+o.shared, all.a+o.a, all.b+o.b
		s.Values[textRare] = max(s.Values[textRare], o.rarest)
		s.Values[textWorst] = max(s.Values[textWorst], 1-o.dice())
		s.notes = append(s.notes, note{label: f.shown, agree: o.dice(), kind: kindText})
	}
	s.Values[textShare] = all.dice()
}

func (f part) compare(g part) (agree, differ float64, ok bool) {
	if !f.hasFact || !g.hasFact {
		return 0, 0, false
	}
	return f.fact.compare(g.fact)
}

func (s *Signs) fact(f, g part, agree, differ float64) {
	v := &s.Values
	s.notes = append(s.notes, note{label: f.shown, agree: agree, kind: f.fact.kind})
	if f.fact.kind == kindPrice {
		v[priceAgree], v[priceDiffer] = agree, differ
		return
	}
	v[factAgree], v[factDiffer] = max(v[factAgree], agree), max(v[factDiffer], differ)
	v[factsAgree] = min(1, v[factsAgree]+agree/3)
}

// counterpart is the field that says the same as field i of a: of the same name, else the only
// fact of its kind that has no namesake; -1 if there is none.
func (p *prepared) counterpart(a *prepared, i int) int {
	f := a.fields[i]
	if j := p.labelled(f.label); j >= 0 {
		return j
	}
	if !f.hasFact || f.fact.kind == kindNumber || a.lone(p, f.fact.kind) != i {
		return -1
	}
	return p.lone(a, f.fact.kind)
}

// lone is the only fact of a kind whose name the other record does not have; -1 if there are
// none or several.
func (p *prepared) lone(other *prepared, k kind) int {
	found := -1
	for i, f := range p.fields {
		if !f.hasFact || f.fact.kind != k || other.labelled(f.label) >= 0 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func (p *prepared) labelled(label string) int {
	for i, f := range p.fields {
		if f.label == label {
			return i
		}
	}
	return -1
}

// note is what a person is told of one comparison: of a field, or in words of its own.
type note struct {
	label, said string
	agree       float64
	kind        kind
}

const (
	surelySame = 0.95
	near       = 0.3
)

// String says it in a few words: "same year", "title .94", "price differs".
func (n note) String() string {
	switch {
	case n.said != "":
		return n.said
	case n.agree >= surelySame:
		return "same " + n.label
	case n.kind == kindText && n.agree >= near:
		return n.label + " " + strings.TrimPrefix(two(n.agree), "0")
	case n.kind != kindText && n.agree >= 0.5:
		return n.label + " nearly the same"
	}
	return n.label + " differs"
}
