// Command mutate finds out what each condition and each function of the reading packages is
// good for: it puts a switch around all of them in a copy of the repository, and tries on
// real pages what changes when one is switched off.
//
//	mutate record FOLDER CURLEW ARGS...   run curlew, and keep the command line and its files
//	mutate copy REPOSITORY FOLDER         make the copy; "go build ./cmd/probe" in it builds the program that tries
//	mutate left FOLDER STATE              write down what nothing missed so far
//	mutate tests FOLDER STATE NAME PACKAGE...   try the tests of packages with all of that switched off
//	mutate table FOLDER STATE             print what came of it, by package
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
)

// packages are those whose conditions are tried.
var packages = []string{"internal/read", "internal/learn", "internal/extract", "internal/text"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 3 && args[0] == "record":
		return record(args[1], args[2], args[3:])
	case len(args) == 3 && args[0] == "copy":
		mutants, err := instrument(args[1], args[2], packages)
		if err == nil {
			fmt.Println(len(mutants), "switches")
		}
		return err
	case len(args) == 3 && args[0] == "left":
		return left(args[1], args[2])
	case len(args) > 4 && args[0] == "tests":
		return tests(args[1], args[2], args[3], args[4:])
	case len(args) == 3 && args[0] == "table":
		return table(args[1], args[2])
	}
	return fmt.Errorf("unknown arguments: see the head of bench/mutate/main.go")
}

// recorded are the commands that read pages.
var recorded = []string{"extract", "learn", "apply", "heal", "inspect", "parse", "match"}

// record keeps a command line with the files that it names, and becomes that command.
func record(folder, curlew string, args []string) error {
	if slices.Contains(recorded, args[0]) {
		own, err := os.MkdirTemp(folder, "")
		if err != nil {
			return err
		}
		kept := slices.Clone(args)
		for i, a := range args {
			if !strings.HasPrefix(a, os.TempDir()) || i > 0 && args[i-1] == "-o" {
				continue
			}
			data, err := os.ReadFile(a)
			if err != nil {
				continue // curlew says what is wrong with it
			}
			kept[i] = filepath.Join(own, strconv.Itoa(i)+filepath.Ext(a))
			if err := os.WriteFile(kept[i], data, 0o644); err != nil {
				return err
			}
		}
		if args[0] == "parse" || args[0] == "match" {
			if err := keepInput(filepath.Join(own, "stdin")); err != nil {
				return err
			}
		}
		data, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(own, "args.json"), data, 0o644); err != nil {
			return err
		}
	}
	return syscall.Exec(curlew, append([]string{curlew}, args...), os.Environ())
}

// keepInput writes standard input to a file and has it read from there.
func keepInput(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, os.Stdin); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return syscall.Dup2(int(f.Fd()), 0)
}

// readMutants is the table of a copy.
func readMutants(folder string) ([]Mutant, error) {
	data, err := os.ReadFile(filepath.Join(folder, "mutants.json"))
	if err != nil {
		return nil, err
	}
	var mutants []Mutant
	return mutants, json.Unmarshal(data, &mutants)
}

// outcomes are what came of each condition when it was tried alone, and which were missed since.
func outcomes(state string) (map[int]string, error) {
	last := map[int]string{}
	read := func(pattern string, each func(id int, came string)) error {
		files, err := filepath.Glob(filepath.Join(state, pattern))
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(data)) {
				id, came, _ := strings.Cut(strings.TrimSpace(line), " ")
				if n, err := strconv.Atoi(id); err == nil {
					each(n, came)
				}
			}
		}
		return err
	}
	err := read("single-*", func(id int, came string) { last[id], _, _ = strings.Cut(came, " ") })
	if err != nil {
		return nil, err
	}
	err = read("culprits-tests-*", func(id int, came string) { last[id] = "tests" })
	if err != nil {
		return nil, err
	}
	return last, read("culprits-[0-9]*", func(id int, came string) { last[id] = "killed" })
}

// tried are all conditions of a copy, and what came of each.
func tried(folder, state string) ([]Mutant, map[int]string, error) {
	mutants, err := readMutants(folder)
	if err != nil {
		return nil, nil, err
	}
	last, err := outcomes(state)
	return mutants, last, err
}

// left writes down which conditions can go as far as is known.
func left(folder, state string) error {
	mutants, last, err := tried(folder, state)
	if err != nil {
		return err
	}
	out := map[int]uint8{}
	count := map[string]int{}
	for _, m := range mutants {
		came := last[m.ID]
		if came == "survived" || came == "idle" {
			if e, err := parser.ParseExpr(m.Text); err != nil || m.Kind == "and" || guard(e, m.Text, came == "survived") {
				came += " guards"
			} else {
				out[m.ID] = 3 - m.differs()
			}
		}
		count[came]++
	}
	fmt.Println(len(out), "left:", count)
	data, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(state, "left.json"), data, 0o644)
}

// differs is the bit of what was seen where the condition would not be now what it was.
func (m Mutant) differs() uint8 {
	if m.Kind == "and" || m.Kind == "func" {
		return 1
	}
	return 2
}

// What keeps a program from failing or from taking too long is wanted although no page comes to it.
var (
	guards = regexp.MustCompile(`\bnil\b|\b[eE]rr\b|\bok\b|\blen\(|[mM]ost|[mM]ax|[lL]imit|[bB]udget|[dD]epth|[cC]tx|Context|==? 0\b|<= 0\b|== ""|IsZero|[sS]teps`)
	orders = regexp.MustCompile(`[<>]`)
)

// guard says whether a condition protects: one side of an "or" is enough, of an "and" all must.
func guard(e ast.Expr, text string, reached bool) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return guard(e.X, text, reached)
	case *ast.UnaryExpr:
		return guard(e.X, text, reached)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LOR:
			return guard(e.X, text, reached) || guard(e.Y, text, reached)
		case token.LAND:
			return guard(e.X, text, reached) && guard(e.Y, text, reached)
		}
	}
	own := text[e.Pos()-1 : e.End()-1]
	return guards.MatchString(own) || !reached && orders.MatchString(own)
}

// table prints for each package how many switches changed what is read of the pages.
func table(folder, state string) error {
	mutants, last, err := tried(folder, state)
	if err != nil {
		return err
	}
	type key struct{ pkg, came string }
	count, names := map[key]int{}, []string{}
	for _, m := range mutants {
		if last[m.ID] == "" {
			continue
		}
		pkg := filepath.Dir(m.File)
		if !slices.Contains(names, pkg) {
			names = append(names, pkg)
		}
		count[key{pkg, last[m.ID]}]++
	}
	slices.Sort(names)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "package\tmissed by a page\tmissed by a test\tno page differs\tno page comes there\tends the program\t")
	for _, pkg := range names {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t\n", pkg, count[key{pkg, "killed"}], count[key{pkg, "tests"}], count[key{pkg, "survived"}], count[key{pkg, "idle"}], count[key{pkg, "try"}])
	}
	return w.Flush()
}
