package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/extract"
	"github.com/curlew-data/curlew/internal/text"
	"github.com/curlew-data/curlew/internal/web/fetch"
)

// targets is what a command is to look at: addresses, files, standard input, or
// the lines of a manifest.
type targets struct {
	Targets  []string `arg:"" optional:"" name:"target" help:"A URL, a file, or - for standard input."`
	Manifest string   `help:"Many targets: JSON lines {\"file\", \"url\", \"now\"}." placeholder:"FILE" type:"existingfile"`
	BaseURL  string   `name:"base-url" help:"The address of the page in a file." placeholder:"URL"`
	Now      string   `help:"Reference day for dates without a year; today by default." placeholder:"DATE"`
	Timezone string   `help:"Default time zone, such as Europe/Warsaw." placeholder:"ZONE"`
	ByPage   bool     `name:"by-page" help:"Print one JSON object per page."`
}

// target is one page to look at.
type target struct {
	name    string // as it was given
	address string // of the page
	file    string // "" means that the address is fetched
	now     time.Time
	undated bool // nobody said when the page was as it is
}

// list gives all targets of the command line.
func (t *targets) list() ([]target, error) {
	now, err := t.clock()
	if err != nil {
		return nil, err
	}
	var all []target
	for _, name := range t.Targets {
		one := target{name: name, address: t.BaseURL, file: name, now: now, undated: t.Now == ""}
		if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
			one.address, one.file, one.undated = name, "", false
		}
		all = append(all, one)
	}
	if t.Manifest != "" {
		listed, err := readManifest(t.Manifest, now, t.Now == "")
		if err != nil {
			return nil, err
		}
		all = append(all, listed...)
	}
	if len(all) == 0 {
		return nil, exitError{curlew.Permanent("wrong_usage", "nothing to read: name a URL, a file or -, or give --manifest"), exitUsage}
	}
	return all, nil
}

func (t *targets) clock() (time.Time, error) {
	if t.Now == "" {
		return time.Now(), nil
	}
	return parseDay("--now", t.Now)
}

func parseDay(what, text string) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, "2006-1-2", time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day, nil
		}
	}
	return time.Time{}, exitError{curlew.Permanent("wrong_usage", "%s is %q: it must be a date such as 2026-03-02", what, text), exitUsage}
}

// zone is the time zone of the command line, nil when none is given.
func (t *targets) zone() (*time.Location, error) {
	if t.Timezone == "" {
		return nil, nil
	}
	return zoneNamed(t.Timezone)
}

// zoneNamed is a time zone that somebody named.
func zoneNamed(name string) (*time.Location, error) {
	if problem := app.ZoneProblem(name); problem != "" {
		return nil, curlew.ProblemIn("timezone", problem)
	}
	return time.LoadLocation(name)
}

// manifestLine is one line of a manifest or of a file of known values.
type manifestLine struct {
	File string  `json:"file"`
	URL  string  `json:"url"`
	Now  *string `json:"now"`
}

func readManifest(path string, now time.Time, undated bool) ([]target, error) {
	var all []target
	err := eachJSONLine(path, func(n int, line []byte) error {
		var l manifestLine
		if err := json.Unmarshal(line, &l); err != nil {
			return curlew.Permanent("bad_manifest", "line %d of %s is not a manifest line such as {\"file\": …, \"url\": …}: %s", n, path,
				text.JSONProblem(err))
		}
		one, err := l.target(now, undated)
		if err != nil {
			return curlew.Permanent("bad_manifest", "line %d of %s: %s", n, path, err)
		}
		all = append(all, one)
		return nil
	})
	return all, err
}

func (l manifestLine) target(now time.Time, undated bool) (target, error) {
	one := target{name: l.File, address: l.URL, file: l.File, now: now, undated: undated}
	if l.Now != nil && *l.Now != "" {
		if day, err := parseDay("now", *l.Now); err == nil { // what is no date is no date: the page's age is unknown
			one.now, one.undated = day, false
		}
	}
	if one.file == "" {
		one.name, one.undated = one.address, false
	}
	if one.name == "" {
		return one, errors.New("it names neither a file nor a URL")
	}
	return one, nil
}

// eachJSONLine reads a file of JSON lines.
func eachJSONLine(path string, each func(n int, line []byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := each(n, lines.Bytes()); err != nil {
			return exitError{err, exitUsage}
		}
	}
	if err := lines.Err(); err != nil {
		return unreadable(path, err)
	}
	return nil
}

// largestFile is as much as a fetch would take.
const largestFile = 10 << 20

// material gets at a target's page: from the disk, from standard input, or from the
// web, politely and without a database.
func (a *program) material(one target, web *pageFetcher) (extract.Material, error) {
	m := extract.Material{URL: one.address, Now: one.now, Undated: one.undated}
	switch one.file {
	case "":
		return web.read(a, one)
	case "-":
		body, err := io.ReadAll(io.LimitReader(a.In, largestFile+1))
		if err != nil {
			return m, curlew.Permanent("unreadable", "standard input cannot be read").Because(err)
		}
		m.Body = body
	default:
		body, err := readFile(one.file)
		if err != nil {
			return m, err
		}
		m.Body = body
	}
	if len(m.Body) > largestFile {
		return m, curlew.Permanent("too_large", "%s is larger than %d MiB: no page is", one.name, largestFile>>20)
	}
	m = m.Unpacked()
	m.Charset = fetch.Charset(m.Body, "")
	if m.URL == "" && one.file != "-" {
		if path, err := filepath.Abs(one.file); err == nil {
			m.URL = "file://" + filepath.ToSlash(path)
		}
	}
	return m, nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, curlew.Permanent("no_such_file", "no such file: %s: name a file, or a URL that begins with http:// or https://", path)
	case err == nil && info.IsDir():
		return nil, curlew.Permanent("not_a_file", "%s is a folder: name the pages in it", path)
	case err == nil && info.Size() > largestFile:
		return nil, curlew.Permanent("too_large", "%s is larger than %d MiB: no page is", path, largestFile>>20)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return body, nil
}
