package feeds

import "bytes"

// tooDeep says whether XML or JSON nests deeper than deepest. It counts opening
// and closing marks only, so it may count too much in broken input, never too
// little in input that a parser would follow.
func tooDeep(body []byte) bool {
	if first := bytes.TrimSpace(body[:min(len(body), 512)]); len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		return deepJSON(body)
	}
	return deepXML(body)
}

func deepJSON(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func deepXML(body []byte) bool {
	depth := 0
	for {
		open := bytes.IndexByte(body, '<')
		if open < 0 || open+1 >= len(body) {
			return false
		}
		body = body[open:]
		end, step := markup(body)
		if depth = max(depth+step, 0); depth > deepest {
			return true
		}
		body = body[end:]
	}
}

// markup gives the length of the mark with which body begins and whether it opens
// or closes an element.
func markup(body []byte) (length, step int) {
	until := func(mark string) int {
		if at := bytes.Index(body, []byte(mark)); at >= 0 {
			return at + len(mark)
		}
		return len(body)
	}
	switch {
	case bytes.HasPrefix(body, []byte("<!--")):
		return until("-->"), 0
	case bytes.HasPrefix(body, []byte("<![CDATA[")):
		return until("]]>"), 0
	case body[1] == '!' || body[1] == '?':
		return until(">"), 0
	case body[1] == '/':
		return until(">"), -1
	}
	end := until(">")
	if end >= 2 && body[end-2] == '/' {
		return end, 0
	}
	return end, 1
}
