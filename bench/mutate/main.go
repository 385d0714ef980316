// Command mutate finds out what each condition and each function of the reading packages is
// good for: it puts a switch around all of them in a copy of the repository, and tries on
// real pages what changes when one is switched off.
//
//	mutate record FOLDER CURLEW ARGS...   run curlew, and keep the command line and its files
//	mutate copy REPOSITORY FOLDER         make the copy; "go build ./cmd/probe" in it builds the program that tries
//	mutate table FOLDER RESULTS           print what came of it, by package
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	case len(args) == 3 && args[0] == "table":
		return table(args[1], args[2])
	}
	return fmt.Errorf("record FOLDER CURLEW ARGS..., copy REPOSITORY FOLDER, or table FOLDER RESULTS")
}

// recorded are the commands that read pages.
var recorded = []string{"extract", "learn", "apply", "heal", "inspect"}

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

// table prints for each package how many switches changed what is read of the pages.
func table(folder, results string) error {
	data, err := os.ReadFile(filepath.Join(folder, "mutants.json"))
	if err != nil {
		return err
	}
	var mutants []Mutant
	if err := json.Unmarshal(data, &mutants); err != nil {
		return err
	}
	f, err := os.Open(results)
	if err != nil {
		return err
	}
	defer f.Close()
	last := map[int]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		id, came, _ := strings.Cut(lines.Text(), " ")
		if n, err := strconv.Atoi(id); err == nil {
			last[n], _, _ = strings.Cut(came, " ")
		}
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
	fmt.Fprintln(w, "package\tmissed by a page\tno page differs\tno page comes there\tends the program\t")
	for _, pkg := range names {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t\n", pkg, count[key{pkg, "killed"}], count[key{pkg, "survived"}], count[key{pkg, "idle"}], count[key{pkg, "try"}])
	}
	return w.Flush()
}
