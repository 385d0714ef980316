package dates

// joinPhrases makes one token of the words of a phrase: "day after tomorrow",
// "sexta-feira", "tháng mười hai".
func (z *tokeniser) joinPhrases() []token {
	out := z.out[:0]
	for i := 0; i < len(z.out); i++ {
		t := z.out[i]
		if t.kind == tokenWord {
			if list := z.words.phrases[z.folded(t)]; list != nil {
				if end, senses := z.longestPhrase(i, list); senses != nil {
					t.end, t.senses = z.out[end].end, senses
					i = end
				}
			}
		}
		out = append(out, t)
	}
	return out
}

// longestPhrase returns the last token of the longest phrase that begins at i.
func (z *tokeniser) longestPhrase(i int, list []phrase) (int, []sense) {
	for _, p := range list {
		j, ok := i, true
		for _, word := range p.rest {
			j++
			for j < len(z.out) && z.out[j].kind == tokenMark && (z.out[j].mark == '.' || z.out[j].mark == '-' || z.out[j].mark == '\'') {
				j++
			}
			if j >= len(z.out) || z.out[j].kind != tokenWord || j > i+2*maxPhrase || z.folded(z.out[j]) != word {
				ok = false
				break
			}
		}
		if ok {
			return j, p.senses
		}
	}
	return 0, nil
}

// folded is the form of a word under which the dictionary has it.
func (z *tokeniser) folded(t token) string {
	if t.end-t.begin > 64 {
		return ""
	}
	z.buf = z.buf[:0]
	z.letters(t.begin)
	return string(z.buf)
}
