package text

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

func TestBrokenPatternsInPlainWords(t *testing.T) {
	for pattern, want := range map[string]string{
		"[a":            `"[a" is not a regular expression: missing closing ]; the syntax is RE2`,
		"((":            `"((" is not a regular expression: missing closing ); the syntax is RE2`,
		"a(?=x)":        `"a(?=x)" cannot be used: the syntax is RE2, which has no lookahead`,
		"a(?!x)":        `"a(?!x)" cannot be used: the syntax is RE2, which has no lookahead`,
		"(?<=/a/)b":     `"(?<=/a/)b" cannot be used: the syntax is RE2, which has no lookbehind`,
		"x(?<!/a/)b":    `"x(?<!/a/)b" cannot be used: the syntax is RE2, which has no lookbehind`,
		"(?>a)":         `"(?>a)" cannot be used: the syntax is RE2, which has no atomic groups`,
		`(a)\1`:         `"(a)\\1" cannot be used: the syntax is RE2, which has no backreferences`,
		`(?P<n>a)\k<n>`: `"(?P<n>a)\\k<n>" cannot be used: the syntax is RE2, which has no backreferences`,
		"(?<n a)":       `"(?<n a)" is not a regular expression: invalid named capture; the syntax is RE2`,
		"x**":           `"x**" is not a regular expression: invalid nested repetition operator at "**"; the syntax is RE2`,
		`\`:             `"\\" is not a regular expression: trailing backslash at end of expression; the syntax is RE2`,
		"a{2000}":       `"a{2000}" is not a regular expression: invalid repeat count at "{2000}"; the syntax is RE2`,
		"shop)":         `"shop)" is not a regular expression: unexpected ); the syntax is RE2`,
		"[z-a] broken":  `"[z-a] broken" is not a regular expression: invalid character class range at "z-a"; the syntax is RE2`,
	} {
		t.Run(pattern, func(t *testing.T) {
			_, err := regexp.Compile(pattern)
			if got := PatternProblem(pattern, err); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestWrongJSONInPlainWords(t *testing.T) {
	type row struct {
		Name string   `json:"name"`
		Few  []string `json:"few"`
		N    int      `json:"n"`
	}
	const cut = "it ends too early: it was cut off, or a bracket or a quotation mark is missing"
	for written, want := range map[string]string{
		`{"name": "a`:     cut,
		`{"name": "a"`:    cut,
		``:                "it is empty",
		"\x00\x01":        `it is not JSON from character 1 on: invalid character '\x00' looking for beginning of value`,
		`{"name": 5}`:     "name is a number, and must be text",
		`{"few": "a"}`:    "few is text, and must be a list",
		`{"n": 1.5}`:      "n is a number 1.5, and must be a whole number",
		`{"n": true}`:     "n is true or false, and must be a whole number",
		`[1]`:             "it is a list, and must be an object",
		`{"nmae": "a"}`:   `unknown field "nmae"`,
		`{"name": "a",,}`: `it is not JSON from character 14 on: invalid character ',' looking for beginning of object key string`,
	} {
		t.Run(written, func(t *testing.T) {
			in := json.NewDecoder(bytes.NewReader([]byte(written)))
			in.DisallowUnknownFields()
			if got := JSONProblem(in.Decode(new(row))); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if got := JSONProblem(json.Unmarshal([]byte(`{"name": "a`), new(row))); got != cut {
		t.Errorf("at once: %s", got)
	}
}

func TestFilesThatCannotBeOpenedInPlainWords(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path string
		err  error
		want string
	}{
		"missing":   {filepath.Join(folder, "b"), nil, "no such file: %"},
		"a folder":  {folder, nil, "% is a folder: name a file"},
		"in a file": {filepath.Join(file, "c"), nil, "% is below a file: name a folder"},
		"closed":    {"k", os.ErrPermission, "k is not open to this user: check its owner and mode"},
		"full":      {"k", &os.PathError{Op: "write", Path: "k", Err: syscall.ENOSPC}, "k cannot be written: the disk is full"},
		"otherwise": {"k", syscall.EIO, "k cannot be opened"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.err == nil {
				_, c.err = os.ReadFile(c.path)
			}
			if got, want := FileProblem(c.path, c.err), regexp.MustCompile("%").ReplaceAllLiteralString(c.want, c.path); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
