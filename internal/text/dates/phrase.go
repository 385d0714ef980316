package dates

// joinPhrases makes one token of the words of a phrase: "day after tomorrow",
// "sexta-feira", "tháng mười hai".
func (z *tokeniser) joinPhrases() []token {
	out := z.out[:0]
	moved := false
	for i := 0; i < len(z.out); i++ {
		t := &z.out[i]
		if len(t.phrases) > 0 {
			if end, whole := z.longestPhrase(i, t.phrases); whole != nil {
				joined := *t
				joined.end, joined.entry = z.out[end].end, whole
				out = append(out, joined)
				i, moved = end, true
				continue
			}
		}
		if !moved { // most texts have no phrase: nothing to copy
			out = out[:i+1]
			continue
		}
		out = append(out, *t)
	}
	return out
}

// longestPhrase returns the last token of the longest phrase that begins at i.
func (z *tokeniser) longestPhrase(i int, list []phrase) (int, *entry) {
	for _, p := range list {
		j, ok := i, true
		for _, word := range p.rest {
			j++
			for j < len(z.out) && z.out[j].joins() {
				j++
			}
			if j >= len(z.out) || z.out[j].kind != tokenWord || j > i+2*maxPhrase || !z.folds(z.out[j], word) {
				ok = false
				break
			}
		}
		if ok {
			return j, p.whole
		}
	}
	return 0, nil
}

// joins tells the marks that may stand between the words of a phrase.
func (t *token) joins() bool {
	switch t.mark {
	case '.', '-', '\'':
		return t.kind == tokenMark
	case '/':
		return t.kind == tokenMark && !t.space
	}
	return false
}

// folds tells whether the dictionary would look a word up as want.
func (z *tokeniser) folds(t token, want string) bool {
	if t.end-t.begin > 64 {
		return false
	}
	z.buf = z.buf[:0]
	z.letters(t.begin)
	return string(z.buf) == want
}
