package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suite is the test binary of one package of the copy.
type suite struct {
	folder, binary string
	state          string
	mutants        map[int]Mutant
	left           map[int]uint8
	culprits       *os.File
	limit          time.Duration // of a whole run
}

// tests runs the tests of the packages with everything switched off that is left, and finds for
// each test that fails which conditions it misses. These are written to a file beside the binaries.
func tests(copied, state, name string, packages []string) error {
	table, err := readMutants(copied)
	if err != nil {
		return err
	}
	left := map[int]uint8{}
	data, err := os.ReadFile(filepath.Join(state, "left.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &left); err != nil {
		return err
	}
	byID := map[int]Mutant{}
	for _, m := range table {
		byID[m.ID] = m
	}
	own := filepath.Join(state, "tests-"+name)
	if err := os.MkdirAll(own, 0o755); err != nil {
		return err
	}
	culprits, err := os.OpenFile(filepath.Join(state, "culprits-tests-"+name), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	defer culprits.Close()
	for lines := bufio.NewScanner(culprits); lines.Scan(); {
		var id int
		if _, err := fmt.Sscanf(lines.Text(), "%d", &id); err == nil {
			delete(left, id)
		}
	}
	for _, pkg := range packages {
		began := time.Now()
		s := suite{folder: filepath.Join(copied, pkg), state: own, mutants: byID, left: left, culprits: culprits, limit: 15 * time.Second}
		s.binary = filepath.Join(own, strings.ReplaceAll(pkg, "/", "-")+".test")
		if _, err := os.Stat(s.binary); err != nil {
			build := exec.Command("go", "test", "-c", "-o", s.binary, "./"+pkg)
			build.Dir = copied
			if out, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("build the tests of %s: %s", pkg, out)
			}
		}
		if _, err := os.Stat(s.binary); err != nil {
			continue // no tests
		}
		if base, passed := s.unbroken(); passed {
			s.limit += 4 * base
		}
		before := len(left)
		if err := s.find(); err != nil {
			return err
		}
		fmt.Printf("%s: %d missed, %d left, %s\n", pkg, before-len(left), len(left), time.Since(began).Round(time.Second))
	}
	return nil
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (Test\w+|Fuzz\w+|Example\w*)`)
var begun = regexp.MustCompile(`(?m)^=== RUN\s+(Test\w+|Fuzz\w+|Example\w*)$`)
var ended = regexp.MustCompile(`(?m)^--- (?:PASS|FAIL|SKIP): (\w+)`)

// find runs all tests again and again until none fails.
func (s *suite) find() error {
	hopeless := map[string]bool{}
	for {
		out, passed := s.run("", s.left, s.limit, "")
		if passed {
			return nil
		}
		var names []string
		for _, m := range failed.FindAllStringSubmatch(out, -1) {
			names = append(names, m[1])
		}
		if len(names) == 0 { // it ended during a test
			over := map[string]bool{}
			for _, m := range ended.FindAllStringSubmatch(out, -1) {
				over[m[1]] = true
			}
			for _, m := range begun.FindAllStringSubmatch(out, -1) {
				if !over[m[1]] {
					names = append(names, m[1])
				}
			}
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(n string) bool { return hopeless[n] })
		if len(names) == 0 {
			fmt.Printf("%s: given up: %s\n", s.folder, out[max(0, len(out)-300):])
			return nil
		}
		for _, name := range names {
			if !s.bisect(name) {
				hopeless[name] = true
				fmt.Printf("%s: %s fails by itself or for another reason\n", s.folder, name)
			}
		}
	}
}

// bisect finds what one test misses; it says whether the test passes then.
func (s *suite) bisect(test string) bool {
	seen := filepath.Join(s.state, "seen")
	_ = os.Remove(seen)
	began := time.Now()
	if _, passed := s.run(test, nil, 5*time.Minute, seen); !passed {
		return false
	}
	limit := 10*time.Second + 5*time.Since(began)
	bits, err := os.ReadFile(seen)
	if err != nil {
		return false
	}
	var own []int
	for id := range s.left {
		if bits[id]&s.mutants[id].differs() != 0 {
			own = append(own, id)
		}
	}
	slices.Sort(own)
	same := func(n int) bool {
		active := maps.Clone(s.left)
		for _, id := range own[n:] {
			delete(active, id)
		}
		_, passed := s.run(test, active, limit, "")
		return passed
	}
	for good := 0; !same(len(own)); {
		if len(own) == 0 {
			return false
		}
		bad := len(own)
		for good+1 < bad {
			if mid := (good + bad) / 2; same(mid) {
				good = mid
			} else {
				bad = mid
			}
		}
		fmt.Fprintf(s.culprits, "%d %s %s\n", own[bad-1], s.folder, test)
		delete(s.left, own[bad-1])
		own = slices.Delete(own, bad-1, bad)
	}
	return true
}

// run runs one test, or all, with these conditions switched off.
func (s *suite) run(test string, active map[int]uint8, limit time.Duration, seen string) (string, bool) {
	mutants := filepath.Join(s.state, "active.json")
	data, err := json.Marshal(active)
	if err != nil || os.WriteFile(mutants, data, 0o644) != nil {
		return "", false
	}
	pattern := "."
	if test != "" {
		pattern = "^" + test + "$"
	}
	c := exec.Command(s.binary, "-test.v", "-test.run", pattern, "-test.skip", os.Getenv("SKIP"), "-test.timeout", limit.String())
	c.Dir = s.folder
	c.Env = append(os.Environ(), "MUTANTS="+mutants, "MUTANTS_SEEN="+seen)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		return err.Error(), false
	}
	kill := time.AfterFunc(limit+10*time.Second, func() { _ = c.Process.Kill() })
	defer kill.Stop()
	err = c.Wait()
	return out.String(), err == nil
}

// unbroken runs all tests as they are, to know how long they take.
func (s *suite) unbroken() (time.Duration, bool) {
	began := time.Now()
	_, passed := s.run("", nil, 20*time.Minute, "")
	return time.Since(began), passed
}
