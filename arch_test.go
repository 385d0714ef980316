package curlew_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// room is one row of the table in ARCHITECTURE.md.
type room struct {
	imports   []string // rooms of ours; "*" means any
	libraries []string // third-party modules
}

var quoted = regexp.MustCompile("`([^`]+)`")

// rooms reads the table: name, what lives there, may import, libraries.
func rooms(t *testing.T) map[string]room {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]room{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		r := room{imports: names(cells[2]), libraries: names(cells[3])}
		for _, name := range names(cells[0]) {
			found[name] = r
		}
	}
	if len(found) < 5 {
		t.Fatalf("the table of rooms has only %d rows", len(found))
	}
	return found
}

func names(cell string) []string {
	var all []string
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, m[1])
	}
	return all
}

// source is one Go file outside of tests.
type source struct {
	path, room string
	imports    []string
}

// sources finds all Go files of the module and the rooms they live in.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (path == "bench" || path == "third_party" || path != "." && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir // modules of their own
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{path: path, room: strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/")}
		for _, spec := range file.Imports {
			s.imports = append(s.imports, strings.Trim(spec.Path.Value, `"`))
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRoomsImportOnlyWhatTheTableAllows(t *testing.T) {
	table := rooms(t)
	lived := map[string]bool{}
	for _, s := range sources(t) {
		lived[s.room] = true
		r, known := table[s.room]
		if !known {
			t.Errorf("%s lives in %q, a room that ARCHITECTURE.md does not list", s.path, s.room)
			continue
		}
		for _, path := range s.imports {
			if why := r.forbids(s.room, path); why != "" {
				t.Errorf("%s imports %s: %s", s.path, path, why)
			}
		}
	}
	for name := range table {
		if !lived[name] {
			t.Errorf("ARCHITECTURE.md lists the room %q, which has no code", name)
		}
	}
}

// forbids says why a room may not import a package; "" when it may.
func (r room) forbids(own, path string) string {
	if name, ours := strings.CutPrefix(path, "curlew/internal/"); ours {
		if name == own || slices.Contains(r.imports, "*") || slices.Contains(r.imports, name) {
			return ""
		}
		return "the table does not allow the room " + name
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return "" // standard library
	}
	if slices.ContainsFunc(r.libraries, func(l string) bool { return path == l || strings.HasPrefix(path, l+"/") }) {
		return ""
	}
	return "the table does not list this library for the room"
}

func TestSQLIsKnownOnlyToTheRoomsThatKeepData(t *testing.T) {
	allowed := []string{"database", "database/databasetest", "store", "store/storetest", "queue"}
	for _, s := range sources(t) {
		if slices.Contains(s.imports, "database/sql") && !slices.Contains(allowed, s.room) {
			t.Errorf("%s uses database/sql", s.path)
		}
	}
}

func TestFilesStayReadable(t *testing.T) {
	for _, s := range sources(t) {
		if s.room == "rpc/blueprintv1" && (strings.HasSuffix(s.path, ".pb.go") || strings.HasSuffix(s.path, ".connect.go")) {
			continue // made by rpc/generate.sh: nobody reads or edits it
		}
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > 500 {
			t.Errorf("%s has %d lines: split it by subject", s.path, n)
		}
	}
}
