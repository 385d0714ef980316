package curlew_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the table of folders in ARCHITECTURE.md.
type layer struct {
	imports   []string // folders or packages of ours; "*" means any
	libraries []string // third-party modules
}

var quoted = regexp.MustCompile("`([^`]+)`")

// tableRows are the rows of ARCHITECTURE.md's tables that begin with a name in
// backquotes and have so many cells.
func tableRows(t *testing.T, cells int) [][]string {
	t.Helper()
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(row) == cells && strings.HasPrefix(strings.TrimSpace(row[0]), "`") {
			rows = append(rows, row)
		}
	}
	return rows
}

// layers reads the table of folders: name, what is about, may import, libraries.
func layers(t *testing.T) map[string]layer {
	t.Helper()
	found := map[string]layer{}
	for _, cells := range tableRows(t, 4) {
		for _, name := range names(cells[0]) {
			found[name] = layer{imports: names(cells[2]), libraries: names(cells[3])}
		}
	}
	if len(found) < 5 {
		t.Fatalf("the table of folders has only %d rows", len(found))
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
	path, pkg string // pkg is its folder below internal/
	imports   []string
}

// sources finds all Go files of the module and the packages they belong to.
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
		s := source{path: path, pkg: strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "internal/")}
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

// layerOf is the most specific row for a package, and its name.
func layerOf(table map[string]layer, pkg string) (string, bool) {
	for name := pkg; name != "."; name = path.Dir(name) {
		if _, known := table[name]; known {
			return name, true
		}
	}
	return "", false
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	table := layers(t)
	used := map[string]bool{}
	for _, s := range sources(t) {
		name, known := layerOf(table, s.pkg)
		if !known {
			t.Errorf("%s is in %q, a folder that ARCHITECTURE.md does not list", s.path, s.pkg)
			continue
		}
		used[name] = true
		for _, path := range s.imports {
			if why := table[name].forbids(name, path); why != "" {
				t.Errorf("%s imports %s: %s", s.path, path, why)
			}
		}
	}
	for name := range table {
		if !used[name] {
			t.Errorf("ARCHITECTURE.md lists the folder %q, which has no code", name)
		}
	}
}

// forbids says why a layer may not import a package; "" when it may.
func (l layer) forbids(own, path string) string {
	if name, ours := strings.CutPrefix(path, "github.com/curlew-data/curlew/internal/"); ours {
		folder, _, _ := strings.Cut(own, "/")
		for _, allowed := range append([]string{own, folder}, l.imports...) {
			if allowed == "*" || name == allowed || strings.HasPrefix(name, allowed+"/") {
				return ""
			}
		}
		return "the table does not allow " + name
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return "" // standard library
	}
	if slices.ContainsFunc(l.libraries, func(l string) bool { return path == l || strings.HasPrefix(path, l+"/") }) {
		return ""
	}
	return "the table does not list this library"
}

func TestEveryPackageIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, cells := range tableRows(t, 2) {
		for _, name := range names(cells[0]) {
			described[name] = true
		}
	}
	table := layers(t)
	real := map[string]bool{}
	for _, s := range sources(t) {
		if _, row := table[s.pkg]; !row && !described[s.pkg] && !real[s.pkg] {
			t.Errorf("ARCHITECTURE.md does not describe the package %s", s.pkg)
		}
		real[s.pkg] = true
	}
	for name := range described {
		if strings.Contains(name, "/") && !strings.Contains(name, ".") && !real[name] {
			t.Errorf("ARCHITECTURE.md describes the package %s, which has no code", name)
		}
	}
}

func TestFoldersHoldAFewPackages(t *testing.T) {
	packages := map[string]map[string]bool{}
	for _, s := range sources(t) {
		if folder, rest, nested := strings.Cut(s.pkg, "/"); nested && strings.HasPrefix(s.path, "internal/") {
			name, _, _ := strings.Cut(rest, "/")
			if packages[folder] == nil {
				packages[folder] = map[string]bool{}
			}
			packages[folder][name] = true
		}
	}
	for folder, inside := range packages {
		if len(inside) > 10 {
			t.Errorf("internal/%s holds %d packages: split it by subject", folder, len(inside))
		}
	}
}

func TestSQLIsKnownOnlyWhereDataIsKept(t *testing.T) {
	for _, s := range sources(t) {
		if slices.Contains(s.imports, "database/sql") && s.pkg != "work/queue" && !strings.HasPrefix(s.pkg, "data/") {
			t.Errorf("%s uses database/sql", s.path)
		}
	}
}

func TestFilesStayReadable(t *testing.T) {
	for _, s := range sources(t) {
		if strings.HasPrefix(s.pkg, "door/grpc/") && (strings.HasSuffix(s.path, ".pb.go") || strings.HasSuffix(s.path, ".connect.go")) {
			continue // made by door/grpc/generate.sh: nobody reads or edits it
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
