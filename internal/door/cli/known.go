package cli

import (
	"encoding/json"
	"io"

	"github.com/curlew-data/curlew/internal/app"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/learn/induce"
	"github.com/curlew-data/curlew/internal/read/blueprint"
	"github.com/curlew-data/curlew/internal/read/dom"
	"github.com/curlew-data/curlew/internal/text"
)

// knownLine is one line of a file of known values.
type knownLine struct {
	manifestLine
	Fields map[string]knownValues `json:"fields"`
}

// knownValues may be written as a list or as a single value.
type knownValues []string

func (k *knownValues) UnmarshalJSON(text []byte) error {
	var many []any
	if err := json.Unmarshal(text, &many); err != nil {
		var one any
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		many = []any{one}
	}
	*k = nil
	for _, v := range many {
		if text := valueText(v); text != "" {
			*k = append(*k, text)
		}
	}
	return nil
}

// knownTarget is a page with what is known of it.
type knownTarget struct {
	target
	fields map[string][]string
}

// known reads a file of known values; placed asks each line for its page.
func (t *targets) known(path string, placed bool) ([]knownTarget, error) {
	now, err := t.clock()
	if err != nil {
		return nil, err
	}
	var all []knownTarget
	err = eachJSONLine(path, func(n int, line []byte) error {
		var l knownLine
		if err := json.Unmarshal(line, &l); err != nil {
			return curlew.Permanent("bad_known", "line %d of %s is not a line such as {\"file\": …, \"fields\": {\"name\": [\"value\"]}}: %s", n,
				path, text.JSONProblem(err))
		}
		one, err := l.target(now, t.Now == "")
		if err != nil && placed {
			return curlew.Permanent("bad_known", "line %d of %s: %s", n, path, err)
		}
		fields := map[string][]string{}
		for name, values := range l.Fields {
			if len(values) > 0 {
				fields[name] = values
			}
		}
		all = append(all, knownTarget{one, fields})
		return nil
	})
	return all, err
}

// pageCache reads each page once, however many lines name it.
type pageCache struct {
	a    *program
	web  *pageFetcher
	docs map[string]*dom.Document
}

func (l *pageCache) read(one target) (*dom.Document, error) {
	name := one.file + "\x00" + one.address
	if doc, ok := l.docs[name]; ok {
		return doc, nil
	}
	m, err := l.a.material(one, l.web)
	if err != nil {
		return nil, err
	}
	if m = m.Ready(); m.FileFault() != nil {
		return nil, m.FileFault()
	}
	if l.docs == nil {
		l.docs = map[string]*dom.Document{}
	}
	l.docs[name] = m.Document()
	return l.docs[name], nil
}

// samples reads the known pages and, without fields, the other targets.
func (l *pageCache) samples(known []knownTarget, others []target) ([]induce.LabelledPage, error) {
	var all []induce.LabelledPage
	seen := map[*dom.Document]bool{}
	for _, k := range known {
		doc, err := l.read(k.target)
		if err != nil {
			return nil, err
		}
		seen[doc] = true
		all = append(all, induce.LabelledPage{Document: doc, Now: k.now, Fields: k.fields})
	}
	for _, one := range others {
		doc, err := l.read(one)
		if err != nil {
			return nil, err
		}
		if !seen[doc] {
			all = append(all, induce.LabelledPage{Document: doc, Now: one.now})
		}
	}
	return all, nil
}

// readBlueprint reads and validates a file.
func readBlueprint(path string) (*blueprint.Blueprint, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	b, err := blueprint.Parse(text)
	return b, app.RulesProblems("blueprint", err).Err()
}

// writeBlueprint writes a file whole or not at all; "-" is standard output.
func writeBlueprint(a *program, path string, b *blueprint.Blueprint) error {
	text, err := blueprint.Marshal(b)
	if err != nil {
		return err
	}
	return a.writeTo(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
