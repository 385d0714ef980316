package text

import (
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

func TestBrokenPatternsInPlainWords(t *testing.T) {
	for pattern, want := range map[string]string{
		"[a":           `"[a" is not a regular expression: missing closing ]; the syntax is RE2`,
		"((":           `"((" is not a regular expression: missing closing ); the syntax is RE2`,
		"a(?=x)":       `"a(?=x)" is not a regular expression: invalid or unsupported Perl syntax at "(?="; the syntax is RE2`,
		"x**":          `"x**" is not a regular expression: invalid nested repetition operator at "**"; the syntax is RE2`,
		`\`:            `"\\" is not a regular expression: trailing backslash at end of expression; the syntax is RE2`,
		"a{2000}":      `"a{2000}" is not a regular expression: invalid repeat count at "{2000}"; the syntax is RE2`,
		"shop)":        `"shop)" is not a regular expression: unexpected ); the syntax is RE2`,
		"[z-a] broken": `"[z-a] broken" is not a regular expression: invalid character class range at "z-a"; the syntax is RE2`,
	} {
		t.Run(pattern, func(t *testing.T) {
			_, err := regexp.Compile(pattern)
			if got := PatternProblem(pattern, err); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
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
