package regions

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// partings are the marks between facts that stand in one text: "Level: B | Starts: 3 Dec | Fee: € 20".
var partings = [...]string{"|", " · ", " • ", " / ", ";", " — ", " – ", "\n"}

// inParts makes units of the facts that stand in one text of records, where their labels come again from record to record.
func inParts(records [][]unit) {
	for _, mark := range partings {
		all := map[uint64]*facts{}
		parts := make([][][]unit, len(records))
		for i, units := range records {
			parts[i] = make([][]unit, len(units))
			var flat []unit
			for k, u := range units {
				if parts[i][k] = u.parts(mark); len(parts[i][k]) > 1 {
					flat = append(flat, parts[i][k]...)
				}
			}
			countFacts(all, flat)
		}
		for i, units := range records {
			records[i] = nil
			split := map[uint64]bool{}
			for k, u := range units {
				switch {
				case len(parts[i][k]) > 1 && all[parts[i][k][0].path].told():
					records[i] = append(records[i], parts[i][k]...)
					split[u.key] = true
				case u.attr != "" || !split[u.in] || u.wholeFact(): // but labels and values of what was parted
					records[i] = append(records[i], u)
				}
			}
		}
	}
}

// parts are the facts of a text that a mark parts; none where it does not begin with a label.
func (u unit) parts(mark string) []unit {
	text := u.text
	if mark == "\n" && !u.mixed && u.node.FirstChild != nil {
		text = u.node.FirstChild.Data
	}
	if u.attr != "" || !strings.Contains(text, ":") || !strings.Contains(text, mark) {
		return nil
	}
	var all []unit
	for piece := range strings.SplitSeq(text, mark) {
		piece = strings.Join(strings.Fields(piece), " ")
		part := u
		if part.label = labelText(beforeColon(piece)); part.label == "" && len(all) == 0 {
			return nil
		}
		if part.label == "" {
			all[len(all)-1].text += strings.TrimRight(mark, " ") + " " + piece
			continue
		}
		part.text, part.part, part.mixed = piece, true, false
		part.path = u.path*prime + 19
		part.key = part.path*prime ^ hashText(part.label)
		all = append(all, part)
	}
	return all
}

// wholeFact says whether an element holds a label with its value, and so is more than a part of a text.
func (u unit) wholeFact() bool {
	label := beforeColon(u.text)
	return label != "" && len(strings.TrimSpace(u.text)) > len(label)+len(":")
}

// beforeColon is what a text has before its first colon; "" where it has none, or it is an address.
func beforeColon(text string) string {
	at := strings.IndexAny(text, ":：")
	if at < 0 || strings.HasPrefix(text[at:], "://") {
		return ""
	}
	return strings.TrimSpace(text[:at])
}

// byTheirLabels gives the facts of records, pairs of a label and a value at the same place, the key of
// their label. By their number, a record that lacks one would have all later ones in the wrong slots.
func (s *survey) byTheirLabels(records [][]unit) {
	inParts(records)
	facts := map[uint64]*facts{}
	for _, units := range records {
		s.label(units)
		countFacts(facts, units)
	}
	for _, units := range records {
		rekey(units, facts)
	}
}

// label says what the values of a record may be called.
func (s *survey) label(units []unit) {
	for i := range units {
		u := &units[i]
		if i > 0 && s.paired(units[i-1], *u) {
			u.label = labelText(units[i-1].text)
			units[i-1].names = u.label != ""
		}
		if u.label == "" && u.piece == broken(u.node) {
			u.label = labelText(beforeColon(u.text))
		}
	}
}

// broken says whether an element has several lines, or a text is one of them.
func broken(n *html.Node) bool {
	if n.Type == html.TextNode {
		n = n.Parent
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Br {
			return true
		}
	}
	return false
}

// rekey gives facts and their labels the keys of the labels.
func rekey(units []unit, by map[uint64]*facts) {
	keys := map[uint64]uint64{}
	for i := range units {
		u := &units[i]
		if of := by[u.path]; of == nil || !of.told() {
			u.label = ""
		}
		if u.label != "" {
			keys[u.key] = u.path*prime ^ hashText(u.label)
		}
		if i > 0 && units[i-1].names {
			l := &units[i-1]
			if l.names = u.label != ""; l.names {
				keys[l.key] = l.path*prime ^ hashText(u.label) + 1
			}
		}
	}
	for i := range units {
		u := &units[i]
		u.key, u.in = cmp.Or(keys[u.key], u.key), cmp.Or(keys[u.in], u.in)
	}
}

// facts are the values that stand at one place of all records.
type facts struct {
	records, many int            // how many have such a value, and how many have several
	values, bare  int            // how many there are, and how many without a label
	labels        map[string]int // by the records that have it
	twice         bool           // a record has a label more than once
}

func countFacts(all map[uint64]*facts, units []unit) {
	counts := map[uint64]map[string]int{}
	for _, u := range units {
		if u.attr != "" || u.names {
			continue
		}
		if counts[u.path] == nil {
			counts[u.path] = map[string]int{}
		}
		counts[u.path][u.label]++
	}
	for path, by := range counts {
		f := all[path]
		if f == nil {
			f = &facts{labels: map[string]int{}}
			all[path] = f
		}
		n := 0
		for label, times := range by {
			n += times
			if label == "" {
				f.bare += times
				continue
			}
			f.labels[label]++
			f.twice = f.twice || times > 1
		}
		f.records, f.values = f.records+1, f.values+n
		if n > 1 {
			f.many++
		}
	}
}

// told says whether labels tell the values apart: most records have several, and nearly all of the
// values but one have a label that other records have too.
func (f *facts) told() bool {
	shared := 0
	for _, n := range f.labels {
		if n > 1 && n*4 >= f.records {
			shared += n
		}
	}
	labelled := f.values - min(f.bare, f.records) // each may have one that is its name
	return !f.twice && f.many*2 > f.records && shared > 0 && shared*10 >= labelled*9
}

// labelText is a text as a label; "" when it cannot be one.
func labelText(text string) string {
	text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":："))
	if text == "" || utf8.RuneCountInString(text) > maxLabel || !startsWithLetter(text) || isNumberBefore(text) {
		return ""
	}
	return text
}

// paired says whether two texts have an element for themselves, or are a term and its definition.
func (s *survey) paired(label, value unit) bool {
	if label.attr != "" || value.attr != "" || label.at < 0 || value.at <= label.at {
		return false
	}
	at, size := s.alone(label.at)
	other, more := s.alone(value.at)
	if s.flat[at].node.DataAtom == atom.Dt && s.flat[other].node.DataAtom == atom.Dd {
		return true
	}
	up := s.flat[at].parent
	return up >= 0 && value.at < s.flat[up].end && s.texts(up) == size+more
}

// alone is the outermost element that has the texts of a node and no others, and how many these are.
func (s *survey) alone(at int32) (int32, int32) {
	size := s.texts(at)
	for up := s.flat[at].parent; up >= 0 && s.texts(up) == size; up = s.flat[up].parent {
		at = up
	}
	return at, size
}

func (s *survey) texts(at int32) int32 {
	return s.sums[s.flat[at].end].texts - s.sums[at].texts
}

// withoutFacts puts the records before their facts, where those rank first: the labels come again in each record.
func (s *survey) withoutFacts(ranked []candidate) []candidate {
	for i := 1; i < len(ranked); i++ {
		if s.factsOf(ranked[0].runs, ranked[i].runs) {
			whole := ranked[i]
			return slices.Insert(slices.Delete(ranked, i, i+1), 0, whole)
		}
	}
	return ranked
}

// factsOf says whether runs are the facts of records: most of these have each of the labels, once. The first run of a
// record may have none: it is its name.
func (s *survey) factsOf(runs, records []run) bool {
	type fact struct {
		record int
		label  string
	}
	labels, all := map[string]bool{}, map[fact]bool{}
	at, named := 0, -1
	for _, r := range runs { // both are in the order of the page
		for at < len(records) && records[at].to < r.to {
			at++
		}
		if at == len(records) || records[at].from > r.from {
			return false
		}
		switch label := s.factLabel(r); {
		case label != "" && !all[fact{at, label}]:
			labels[label], all[fact{at, label}], named = true, true, at
		case label == "" && named < at:
			named = at
		default:
			return false
		}
	}
	return len(labels) > 1 && len(records) > 2 && len(all)*4 >= len(labels)*len(records)*3
}

// factLabel is what a fact begins with: a label and a colon, or the first of two filled cells of a row.
func (s *survey) factLabel(r run) string {
	if label := labelText(beforeColon(s.firstWords(r))); label != "" || s.flat[r.from].node.DataAtom != atom.Tr {
		return label
	}
	var filled []run
	for i := r.from + 1; i < s.flat[r.from].end; i = s.flat[i].end {
		if cell := s.whole(i); s.holds(cell).texts > 0 {
			filled = append(filled, cell)
		}
	}
	if len(filled) != 2 || s.holds(filled[0]).texts != 1 {
		return ""
	}
	return labelText(s.firstWords(filled[0]))
}

// firstWords are the first text of a run.
func (s *survey) firstWords(r run) string {
	for i := r.from; i < r.to; i++ {
		if n := s.flat[i].node; n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return strings.Join(strings.Fields(n.Data), " ")
		}
	}
	return ""
}
