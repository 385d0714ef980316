package dom

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Fingerprint is the structure of a page without its content: equal for pages
// that differ only in text, nonces, counters, A/B classes or the order of
// attributes, and comparable when they differ in more. It can be kept as JSON.
type Fingerprint struct {
	Hash     string         `json:"hash"`
	Shingles map[string]int `json:"shingles"` // how much each tag path with its stable classes weighs: 100 where all such parents have it
	Skeleton []string       `json:"skeleton"` // the outline of the page, one indented line per kind of element, for people
}

// Bounds of a fingerprint. Pages by people have some hundred kinds of elements.
const (
	maxSkeleton = 800
	maxShingles = 4000
	maxKinds    = 400 // among the children of one kind of element
	maxOutline  = 40  // levels
)

// Fingerprint describes the structure of the page: siblings of one kind count as
// one, and what only a few of them have counts little.
func (d *Document) Fingerprint() Fingerprint {
	o := outliner{shingles: map[string]int{}, names: map[string][]string{}}
	hash := sha256.New()
	for n := d.Tree().FirstChild; n != nil; n = n.NextSibling {
		for c := n.FirstChild; n.Type == html.ElementNode && c != nil; c = c.NextSibling {
			if c.DataAtom == atom.Body || c.DataAtom == atom.Frameset {
				o.visit(kind{label: c.Data, members: []*html.Node{c}}, "", 0, true)
			}
		}
	}
	for _, line := range o.backbone {
		hash.Write([]byte(line + "\n"))
	}
	return Fingerprint{Hash: hex.EncodeToString(hash.Sum(nil)[:16]), Shingles: o.shingles, Skeleton: o.skeleton}
}

type outliner struct {
	shingles map[string]int
	skeleton []string
	backbone []string            // what the hash is made of: the lines that do not depend on a few records
	names    map[string][]string // stable names by class attribute
}

// part is what tells the elements below one parent apart.
type part struct{ tag, class, id string }

// kind is a group of elements that play the same part under the same parents.
type kind struct {
	part    part
	label   string
	members []*html.Node
	parents int        // how many parents have one
	last    *html.Node // the parent counted last
}

// visit outlines one kind of element and what it holds.
func (o *outliner) visit(k kind, parent string, depth int, firm bool) {
	line := strings.Repeat("  ", depth) + k.label
	if len(o.skeleton) < maxSkeleton {
		o.skeleton = append(o.skeleton, line)
		if firm {
			o.backbone = append(o.backbone, line)
		}
	}
	if depth >= maxOutline {
		return
	}
	kinds := o.kinds(k.members)
	for i := range kinds {
		c := &kinds[i]
		c.label = o.label(c)
		weight := 100
		if len(k.members) >= fewMembers {
			weight = (100*c.parents + len(k.members) - 1) / len(k.members)
		}
		shingle := parent + ">" + k.label + ">" + c.label
		if _, known := o.shingles[shingle]; known || len(o.shingles) < maxShingles {
			o.shingles[shingle] = max(o.shingles[shingle], weight)
		}
		// What fewer than one in five records has is content, not template.
		if weight >= 20 {
			o.visit(*c, k.label, depth+1, firm && weight >= 80)
		}
	}
}

// fewMembers is the number up to which elements that look alike may still play
// different parts: the three bare divs of head, body and foot.
const fewMembers = 4

// kinds sorts the children of some elements by the part they play: by tag, stable
// id and first stable class, in order of appearance.
func (o *outliner) kinds(parents []*html.Node) []kind {
	var all []kind
	var index map[part]int
	at := 0
	for _, p := range parents {
		for c := p.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || !structural(c) {
				continue
			}
			// Most children are of the same kind as the one before them.
			if key := o.part(c); len(all) == 0 || all[at].part != key {
				known := false
				if at, known = index[key]; !known {
					if len(all) >= maxKinds {
						at = 0
						continue
					}
					if index == nil {
						index = map[part]int{}
					}
					at = len(all)
					index[key] = at
					all = append(all, kind{part: key})
				}
			}
			k := &all[at]
			k.members = append(k.members, c)
			if k.last != p {
				k.last = p
				k.parents++
			}
		}
	}
	return all
}

// structural says whether an element belongs to the template rather than to the
// text or the machinery.
func structural(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Link, atom.Meta, atom.Noscript, atom.Template, atom.Br, atom.Wbr,
		atom.Iframe, atom.Ins, atom.Object, atom.Embed, atom.Base, atom.Title:
		return false
	case atom.B, atom.I, atom.Em, atom.Strong, atom.U, atom.Font, atom.Sup, atom.Sub, atom.Span, atom.Small, atom.Code:
		return len(n.Attr) > 0 && Attr(n, "class") != ""
	}
	return true
}

// part names the part that an element plays among its siblings.
func (o *outliner) part(n *html.Node) part {
	p := part{tag: n.Data}
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class":
			if names := o.stable(n.Attr[i].Val); len(names) > 0 {
				p.class = names[0]
			}
		case "id":
			p.id = stableID(n.Attr[i].Val)
		}
	}
	return p
}

// label is a kind in words: the tag with the classes that most members share.
func (o *outliner) label(k *kind) string {
	first := k.members[0]
	classes := Attr(first, "class")
	names := o.stable(classes)
	for _, m := range k.members[1:] {
		if Attr(m, "class") != classes {
			names = o.shared(k.members)
			break
		}
	}
	label := k.part.tag
	if k.part.id != "" {
		label += "#" + k.part.id
	}
	if len(names) > 0 {
		label += "." + strings.Join(sorted(names), ".")
	}
	return label
}

// shared are the stable names that most members have.
func (o *outliner) shared(members []*html.Node) (names []string) {
	counts := map[string]int{}
	for _, m := range members {
		for _, name := range o.stable(Attr(m, "class")) {
			counts[name]++
		}
	}
	for name, n := range counts {
		if 2*n > len(members) {
			names = append(names, name)
		}
	}
	return names
}

func (o *outliner) stable(class string) []string {
	names, known := o.names[class]
	if !known {
		names = stableNames(class)
		o.names[class] = names
	}
	return names
}
