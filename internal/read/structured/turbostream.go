package structured

import (
	"encoding/json"
	"strconv"
	"strings"
)

// streamPieces joins the texts that a Remix or React Router page hands to
// streamController.enqueue("…").
func streamPieces(text string, out *strings.Builder) {
	const call = "streamController.enqueue("
	for {
		at := strings.Index(text, call)
		if at < 0 {
			return
		}
		reader := literalReader{src: text, pos: at + len(call), script: true}
		value, err := reader.value()
		if words, ok := value.(string); ok && err == nil {
			out.WriteString(words)
			text = text[reader.pos:]
			continue
		}
		text = text[at+len(call):]
	}
}

// readTurboStream reads a stream: its first line is a flattened list, later lines
// ("P12:[…]") add to the list and settle a promise.
func readTurboStream(stream string) any {
	var f *flattened
	for line := range strings.SplitSeq(stream, "\n") {
		promise := ""
		if f != nil {
			head, rest, ok := strings.Cut(line, ":")
			if !ok || !strings.HasPrefix(head, "P") {
				continue
			}
			promise, line = head[1:], rest
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		reader := literalReader{src: line}
		value, err := reader.whole()
		if err != nil {
			if f == nil {
				return nil
			}
			continue
		}
		f = f.extend(promise, value)
		if f == nil {
			return nil
		}
	}
	if f == nil {
		return nil
	}
	return f.at(json.Number("0"))
}

// extend adds a line of the stream.
func (f *flattened) extend(promise string, value any) *flattened {
	if f == nil {
		entries, ok := value.([]any)
		if !ok {
			return nil
		}
		f = newFlattened(entries)
		f.special, f.member, f.promises = streamed, streamedKey, map[string]json.Number{}
		return f
	}
	switch value := value.(type) {
	case json.Number:
		f.promises[promise] = value
	case []any:
		f.promises[promise] = json.Number(strconv.Itoa(len(f.entries)))
		f.entries = append(f.entries, value...)
		f.open = append(f.open, make([]bool, len(value))...)
	}
	return f
}

// streamedKey reads a key: "_12" is the text at position 12.
func streamedKey(f *flattened, key string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(key, "_"))
	if err == nil && n >= 0 && n < len(f.entries) {
		if text, ok := f.entries[n].(string); ok {
			return text
		}
	}
	return key
}

// streamed reads the special values of turbo-stream.
func streamed(f *flattened, kind string, rest []any) (any, bool) {
	switch kind {
	case "D":
		return date(rest), true
	case "U", "B":
		return first(rest), true
	case "S":
		return f.all(rest), true
	case "M":
		return f.pairs(rest, false), true
	case "N":
		if members, ok := first(rest).(map[string]any); ok {
			return f.entry(members), true
		}
		return f.pairs(rest, false), true
	case "P":
		id, _ := scalar(first(rest))
		if position, ok := f.promises[id]; ok {
			return f.at(position), true
		}
		return nil, true
	case "Z":
		return f.at(first(rest)), true
	case "E", "R", "Y":
		return nil, true
	case "SingleFetchFallback", "SingleFetchClassInstance", "SingleFetchRedirect", "SanitizedError", "ErrorResponse":
		return f.at(first(rest)), true
	}
	return nil, false
}
