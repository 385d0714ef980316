package normalise

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/curlew"
	"golang.org/x/text/unicode/norm"
)

const (
	maxDepth   = 1000
	maxInteger = 1 << 53 // beyond it, a double cannot tell neighbours apart
)

// CanonicalJSON writes a value by RFC 8785: keys by UTF-16 code units, numbers as
// ECMAScript writes them. What JSON cannot carry is refused: NaN, infinities,
// integers beyond 2^53, invalid UTF-8.
func CanonicalJSON(v any) ([]byte, error) {
	return appendValue(nil, v, 0)
}

// Hash is the SHA-256 of the canonical JSON of fields with all text in NFC. It does
// not depend on the order of keys or on how letters are composed.
func Hash(fields curlew.Values) string {
	body, err := CanonicalJSON(hashable(map[string]any(fields), 0))
	if err != nil { // cannot be: hashable leaves nothing that JSON cannot carry
		body = []byte(err.Error())
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// hashable gives a value that canonical JSON can always carry.
func hashable(v any, depth int) any {
	if depth > maxDepth/2 {
		return nil
	}
	switch v := v.(type) {
	case string:
		return norm.NFC.String(storable(v))
	case int64:
		if v > maxInteger || v < -maxInteger {
			return strconv.FormatInt(v, 10)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case curlew.Values:
		return hashable(map[string]any(v), depth)
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out[norm.NFC.String(storable(key))] = hashable(v[key], depth+1)
		}
		return out
	case []any:
		return hashableList(v, depth+1)
	case []string:
		return hashableList(v, depth+1)
	}
	return v
}

func hashableList[T any](list []T, depth int) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = hashable(list[i], depth)
	}
	return out
}

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, curlew.Permanent("not_canonical", "the value is nested deeper than %d levels", maxDepth)
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case string:
		return appendString(b, v)
	case float64:
		return appendNumber(b, v)
	case int:
		return appendInteger(b, int64(v))
	case int64:
		return appendInteger(b, v)
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, curlew.Permanent("not_canonical", "%q is not a number in JSON", string(v))
		}
		return appendNumber(b, f)
	case []any:
		return appendArray(b, len(v), func(i int) any { return v[i] }, depth)
	case []string:
		return appendArray(b, len(v), func(i int) any { return v[i] }, depth)
	case map[string]any:
		return appendObject(b, v, depth)
	case curlew.Values:
		return appendObject(b, v, depth)
	}
	return appendOther(b, v, depth)
}

// appendOther writes what encoding/json knows how to write.
func appendOther(b []byte, v any, depth int) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, curlew.Permanent("not_canonical", "the value cannot be written as JSON").Because(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var plain any
	if err := decoder.Decode(&plain); err != nil {
		return nil, curlew.Permanent("not_canonical", "the value cannot be read back from JSON").Because(err)
	}
	return appendValue(b, plain, depth)
}

func appendArray(b []byte, n int, at func(int) any, depth int) ([]byte, error) {
	b = append(b, '[')
	var err error
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, at(i), depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendObject(b []byte, v map[string]any, depth int) ([]byte, error) {
	keys := slices.SortedFunc(maps.Keys(v), byCodeUnits)
	b = append(b, '{')
	var err error
	for i, key := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendString(b, key); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = appendValue(b, v[key], depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// byCodeUnits orders as UTF-16 does, where characters beyond the basic plane stand
// before U+E000.
func byCodeUnits(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

func appendInteger(b []byte, v int64) ([]byte, error) {
	if v > maxInteger || v < -maxInteger {
		return nil, curlew.Permanent("not_canonical", "the integer %d is too large for JSON: write it as text", v)
	}
	return strconv.AppendInt(b, v, 10), nil
}

// appendNumber writes a number as ECMAScript does (Number::toString).
func appendNumber(b []byte, v float64) ([]byte, error) {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return nil, curlew.Permanent("not_canonical", "JSON has no infinite numbers")
	case v == 0:
		return append(b, '0'), nil
	case size >= 1e-6 && size < 1e21:
		return strconv.AppendFloat(b, v, 'f', -1, 64), nil
	}
	b = strconv.AppendFloat(b, v, 'e', -1, 64)
	if n := len(b); n >= 4 && b[n-2] == '0' && (b[n-3] == '-' || b[n-3] == '+') { // e-07 is e-7
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b, nil
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, curlew.Permanent("not_canonical", "a text is not valid UTF-8")
	}
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\t':
			b = append(b, '\\', 't')
		case '\n':
			b = append(b, '\\', 'n')
		case '\f':
			b = append(b, '\\', 'f')
		case '\r':
			b = append(b, '\\', 'r')
		default:
			if c < 0x20 {
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"'), nil
}
