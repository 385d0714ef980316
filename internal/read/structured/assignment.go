package structured

import "strings"

// maxAssigned bounds the attempts on one script, in bytes read per byte of script:
// code is full of things that begin like data.
const maxAssigned = 8

// assigned is a variable of a script with the data it is given.
type assigned struct {
	name  string
	value any
}

// assignments finds what a script assigns to variables, as far as that plainly is
// data: window.x = {…}, var x = […], x.push({…}), self["x"] = JSON.parse("…"),
// x = (function(a){return {…}}(1)).
func assignments(text string) []assigned {
	var found []assigned
	budget := maxAssigned*len(text) + 1<<16
	for at := 0; at < len(text) && budget > 0 && len(found) < maxStates; {
		step := strings.IndexAny(text[at:], "=(")
		if step < 0 {
			break
		}
		at += step
		name, start := target(text, at)
		at++
		if name == "" {
			continue
		}
		reader := literalReader{src: text, pos: start, script: true}
		value, err := reader.value()
		budget -= reader.pos - start + 64 // for the attempt itself
		if err != nil {
			continue
		}
		at = max(at, reader.pos)
		if value = settled(value); !isEmpty(value) {
			found = append(found, assigned{name, value})
		}
	}
	return found
}

// settled makes a value that was read from a script plain: shared parts are
// copied, and a text that is JSON itself is read.
func settled(value any) any {
	if text, ok := value.(string); ok {
		return unpacked(text)
	}
	return unfold(value)
}

// unpacked reads a text that holds JSON, escaped as a part of an address or not;
// other texts are no state.
func unpacked(text string) any {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "%7B") || strings.HasPrefix(text, "%5B") {
		text = percentDecoded(text)
	}
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	reader := literalReader{src: text}
	value, err := reader.whole()
	if err != nil {
		return nil
	}
	return value
}

// target tells what the = or ( at a place gives a value to, and where the value
// begins; the name is "" when that is not the start of data.
func target(text string, at int) (string, int) {
	data := strings.TrimLeft(text[at+1:], " \n\t\r")
	if data == "" || !beginsData(data) {
		return "", 0
	}
	start, end := len(text)-len(data), len(strings.TrimRight(text[:at], " \t"))
	begin := end
	for begin > 0 && isTargetByte(text[begin-1]) {
		begin--
	}
	written := text[begin:end]
	if text[at] == '(' {
		name, ok := strings.CutSuffix(written, ".push")
		if !ok {
			return "", 0
		}
		if name == "" { // (window.x = window.x || []).push({…})
			name = "push"
		}
		return tidyTarget(name), start
	}
	if begin > 0 && strings.IndexByte("=!<>+-*/%|&^?", text[begin-1]) >= 0 && begin == end {
		return "", 0
	}
	return tidyTarget(written), start
}

// beginsData tells the beginnings of data from those of other code.
func beginsData(rest string) bool {
	switch rest[0] {
	case '{', '[':
		return true
	case '(':
		head := strings.TrimLeft(rest[:min(len(rest), 16)], "(! \n")
		return strings.HasPrefix(head, "function") || strings.HasPrefix(head, "{") || isParameterList(rest)
	case 'J':
		return strings.HasPrefix(rest, "JSON.parse(")
	case 'O':
		return strings.HasPrefix(rest, "Object.freeze(") || strings.HasPrefix(rest, "Object.assign(")
	case 'f':
		return strings.HasPrefix(rest, "function(")
	case '"', '\'':
		head := rest[1:min(len(rest), 4)]
		return strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[") || strings.HasPrefix(head, "%7B") || strings.HasPrefix(head, "%5B")
	}
	return false
}

// isParameterList tells ((a,b)=>… .
func isParameterList(rest string) bool {
	return strings.HasPrefix(rest, "((") && strings.Contains(rest[:min(len(rest), 4096)], ")=>")
}

// isTargetByte tells what the target of an assignment is written with.
func isTargetByte(c byte) bool {
	switch c {
	case '.', '[', ']', '"', '\'':
		return true
	}
	return beginsName(c) || isDecimal(c)
}

// beginsName tells the ASCII characters with which an identifier begins.
func beginsName(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDecimal(c byte) bool { return c >= '0' && c <= '9' }

// bracketed turns x["y"] into x.y.
var bracketed = strings.NewReplacer(`["`, ".", `"]`, "", `['`, ".", `']`, "")

// tidyTarget makes window["x"], self.x and x the same name.
func tidyTarget(written string) string {
	name := written
	if strings.IndexByte(written, '[') >= 0 {
		name = bracketed.Replace(written)
	}
	for _, prefix := range []string{"window.", "self.", "globalThis.", "global.", "this."} {
		name = strings.TrimPrefix(name, prefix)
	}
	if strings.ContainsAny(name, "[]\"'") || strings.HasPrefix(name, ".") || name == "" || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}
