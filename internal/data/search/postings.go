package search

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// PerBlock is how many things one block holds: as many as a Set has places.
const PerBlock = 64

// Set are places on a block, one bit each.
type Set uint64

// Places lists the places of a set, the last one first.
func (s Set) Places() []int {
	all := make([]int, 0, s.Size())
	for s != 0 {
		last := bits.Len64(uint64(s)) - 1
		all = append(all, last)
		s &^= 1 << last
	}
	return all
}

// Size is how many places there are.
func (s Set) Size() int { return bits.OnesCount64(uint64(s)) }

// places are the letters that stand for the places of a block.
const places = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

var placeOf = func() (at [256]int8) {
	for i := range at {
		at[i] = -1
	}
	for i := range len(places) {
		at[places[i]] = int8(i) //nolint:gosec // there are 64
	}
	return at
}()

// Postings is the words of a few things, as text: a line for each word with the places of
// those that have it, in the order of the words. It begins and ends with a line break.
type Postings string

// Write writes the words of things, each in its place; words are sorted, without repeats.
func Write(things [][]string) Postings {
	lines := map[string][]byte{}
	for i, words := range things {
		for _, word := range words {
			lines[word] = append(lines[word], places[i])
		}
	}
	var out strings.Builder
	out.WriteByte('\n')
	for _, word := range slices.Sorted(maps.Keys(lines)) {
		out.WriteString(word)
		out.WriteByte(' ')
		out.Write(lines[word])
		out.WriteByte('\n')
	}
	return Postings(out.String())
}

// Read gives the words of each thing back. A damaged block gives what can be read of it.
func (s Postings) Read(things int) [][]string {
	all := make([][]string, things)
	for line := range strings.SplitSeq(string(s), "\n") {
		word, at, _ := strings.Cut(line, " ")
		for i := range len(at) {
			if place := int(placeOf[at[i]]); place >= 0 && place < things {
				all[place] = append(all[place], word)
			}
		}
	}
	return all
}

// Find says in which places of the block all is that a query asks for.
func (s Postings) Find(q Query) Set {
	found := ^Set(0)
	for _, one := range q.needs {
		var some Set
		for _, way := range one {
			some |= s.lines(way)
		}
		if found &= some; found == 0 {
			return 0
		}
	}
	return found
}

// lines joins the places of all lines that begin so. They stand together.
func (s Postings) lines(beginning string) (found Set) {
	at := strings.Index(string(s), beginning)
	if at < 0 {
		return 0
	}
	for rest := string(s[at:]); strings.HasPrefix(rest, beginning); {
		rest = rest[1:]
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			return found
		}
		for i := strings.IndexByte(rest[:end], ' ') + 1; i < end; i++ {
			if place := placeOf[rest[i]]; place >= 0 {
				found |= 1 << place
			}
		}
		rest = rest[end:]
	}
	return found
}
