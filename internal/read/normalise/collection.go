package normalise

import (
	"maps"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// listOf reads several values of one type, without repeats.
func (w *work) listOf(f curlew.Field, value any) any {
	if f.Of == "" || f.Of == curlew.TypeText {
		return w.list(f.Name, value)
	}
	texts, _ := w.list(f.Name, value).([]string)
	zone, _ := w.zone()
	var kept []any
	for _, text := range texts {
		one := w.valueOf(curlew.Field{Name: f.Name, Type: f.Of}, text)
		if f.Of.Dated() {
			one = w.day(curlew.Field{Name: f.Name, Type: f.Of}, text, zone)
		}
		if one != nil {
			kept = append(kept, one)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// list reads several texts, without repeats.
func (w *work) list(name string, value any) any {
	var texts []string
	switch v := value.(type) {
	case []string:
		texts = v
	case []any:
		for _, each := range v[:min(len(v), maxList+1)] {
			texts = append(texts, plainText(each))
		}
	default:
		texts = strings.FieldsFunc(unmarked(clipRaw(plainText(value))), func(r rune) bool { return r == '\n' || r == ';' || r == '|' })
	}
	if len(texts) == 1 {
		texts = w.parted(name, texts[0])
	}
	if len(texts) > maxList {
		w.note(name, "cut", "the list was cut to its first 500 entries")
		texts = texts[:maxList]
	}
	seen := map[string]bool{}
	var kept []string
	for _, text := range texts {
		text = line(w.scrub(name, line(text, maxLine)), maxLine)
		if key := strings.ToLower(text); text != "" && !seen[key] {
			seen[key] = true
			kept = append(kept, text)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// mapping reads texts by name. Names that are for contacts of people are left out.
func (w *work) mapping(field string, value any) any {
	in, ok := value.(map[string]any)
	if texts, isTexts := value.(map[string]string); isTexts {
		in, ok = map[string]any{}, true
		for key, text := range texts {
			in[key] = text
		}
	}
	if !ok {
		w.note(field, "not_a_map", "the value has no names")
		return nil
	}
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		name := line(key, 200)
		if name == "" || len(out) >= maxList || saysNothing(in[key]) {
			continue
		}
		if !w.AllowPersonal && (personalName(name) || field == "figures" && w.calls(name, in[key])) {
			w.personal(field, 1)
			delete(w.proof, field+"."+key)
			continue
		}
		if kept := w.slot(field, in[key]); kept != nil && !saysNothing(kept) {
			out[name] = kept
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// calls says whether a name and its value are a number to call somebody by: "Call 555 0123".
func (w *work) calls(name string, value any) bool {
	number, ok := value.(string)
	if !ok {
		return false
	}
	_, contacts := w.withoutContacts(name+" "+number, marked)
	_, inName := w.withoutContacts(name, marked)
	return contacts > inName
}

// slot reads one value of a map: a text, or several.
func (w *work) slot(field string, value any) any {
	switch value.(type) {
	case []string, []any:
		return w.list(field, value)
	}
	text := line(w.scrub(field, line(plainText(value), maxLine)), maxLine)
	if text == "" || isResidue(text) {
		return nil
	}
	return text
}
