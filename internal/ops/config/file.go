package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/curlew-data/curlew/internal/text"
	"go.yaml.in/yaml/v3"
)

// maxFile is many times a file with every setting and a comment on each.
const maxFile = 64 << 10

func (l *loader) file(path string) {
	data, err := read(path)
	if err != nil {
		l.problem("the configuration file cannot be read: %w", err)
		return
	}
	l.parse(path, data)
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		var data []byte
		if data, err = io.ReadAll(io.LimitReader(f, maxFile+1)); err == nil && len(data) > maxFile {
			err = fmt.Errorf("%s is larger than %d KiB", path, maxFile>>10)
		}
		if err == nil {
			return data, nil
		}
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = errors.New(text.FileProblem(path, failed))
	}
	return nil, err
}

// parse applies the settings of a YAML text; path is for the sentences only.
func (l *loader) parse(path string, data []byte) {
	if line, ok := notText(data); ok {
		l.problem("%s:%d: the file is not UTF-8 text", path, line)
		return
	}
	root, err := document(data)
	if err != nil {
		line, what := syntaxError(data, err)
		l.problem("%s:%d: %s", path, line, what)
		return
	}
	if root == nil {
		return
	}
	f := &yamlFile{loader: l, path: path, seen: map[string]int{}}
	if root.Kind != yaml.MappingNode {
		l.problem("%s: the file must hold settings, each as name: value", f.at(root))
		return
	}
	f.mapping(root, "")
}

func notText(data []byte) (line int, bad bool) {
	for i, text := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return i + 1, true
		}
	}
	return 0, false
}

var errSecond = errors.New("a second YAML document begins; the file must hold one")

// document is the one document of a YAML text, or nil when it holds nothing.
func document(data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := decoder.Decode(&first); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, errSecond
	} else if err != io.EOF {
		return nil, err
	}
	root := first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	return root, nil
}

var (
	yamlPrefix = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	tabIndent  = regexp.MustCompile(`^ *\t`)
)

// syntaxError tells what is wrong with a text that is not YAML, and in which line.
func syntaxError(data []byte, err error) (line int, what string) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	line = parserLine(err)
	if len(lines)*len(data) <= maxSearch {
		line = faultyLine(lines)
	}
	line = min(line, len(lines))
	switch {
	case tabIndent.Match(lines[line-1]):
		return line, "the line is indented with a tab; it must be indented with spaces"
	case err == errSecond:
		return line, err.Error()
	}
	return line, "the file is not YAML: " + yamlPrefix.ReplaceAllString(err.Error(), "")
}

// maxSearch keeps faultyLine under half a second, measured on the densest flow
// list; a file with every setting stays a hundred times below.
const maxSearch = 2 << 20

// faultyLine is the line after the longest beginning of the text that is sound.
// The parser's own number is often one off, and for an open bracket or quote it
// may name the end instead of the start.
func faultyLine(lines [][]byte) int {
	sound := len(lines) - 1
	for ; sound > 0; sound-- {
		if _, err := document(bytes.Join(lines[:sound], nil)); err == nil {
			break
		}
	}
	return sound + 1
}

func parserLine(err error) int {
	line := 0
	if m := yamlPrefix.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
	}
	return max(line, 1)
}

// yamlFile walks the parsed file and gives its values to the loader.
type yamlFile struct {
	*loader
	path string
	seen map[string]int // line at which a name was first given
}

func (f *yamlFile) at(n *yaml.Node) Origin {
	return Origin{FromFile, fmt.Sprintf("%s:%d", f.path, max(n.Line, 1))}
}

// mapping walks the pairs of one section; prefix is empty or ends with a dot.
func (f *yamlFile) mapping(node *yaml.Node, prefix string) {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, val := node.Content[i], node.Content[i+1]
		name := prefix + key.Value
		if line, twice := f.seen[name]; twice {
			f.problem("%s: %s is given twice; first in line %d", f.at(key), name, line)
			continue
		}
		f.seen[name] = key.Line
		f.entry(name, key, val)
	}
}

func (f *yamlFile) entry(name string, key, val *yaml.Node) {
	if i := slices.IndexFunc(f.rows, func(r row) bool { return r.name == name }); i >= 0 {
		f.setting(f.rows[i], key, val)
		return
	}
	inside := f.under(name)
	switch {
	case len(inside) == 0:
		f.problem("%s: %s", f.at(key), unknown(name, "", nearest(name, f.names())))
	case val.Kind == yaml.MappingNode:
		f.mapping(val, name+".")
	case !isNull(val):
		f.problem("%s: %s is a section; it must hold indented lines, one for each of %s", f.at(key), name, strings.Join(inside, ", "))
	}
}

func (f *yamlFile) setting(r row, key, val *yaml.Node) {
	from := f.at(key)
	switch {
	case isNull(val):
		f.wrong[r.name] = true
		f.problem("%s: %s has no value; write one, or remove the line", from, r.name)
	case val.Kind == yaml.ScalarNode:
		f.give(r, val.Value, from)
	case val.Kind == yaml.SequenceNode && r.value.list:
		f.elements(r, val, from)
	default:
		f.refuse(r, kindName(val.Kind), errMisfit, from)
	}
}

func (f *yamlFile) elements(r row, val *yaml.Node, from Origin) {
	parts := make([]string, len(val.Content))
	for i, n := range val.Content {
		if n.Kind != yaml.ScalarNode || isNull(n) {
			f.refuse(r, "a list that holds more than plain values", errMisfit, f.at(n))
			return
		}
		parts[i] = n.Value
	}
	f.give(r, strings.Join(parts, ","), from)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func kindName(k yaml.Kind) string {
	switch k {
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	default:
		return "a section"
	}
}

// under lists what a section may hold.
func (f *yamlFile) under(section string) []string {
	var inside []string
	for _, r := range f.rows {
		if rest, ok := strings.CutPrefix(r.name, section+"."); ok {
			inside = append(inside, rest)
		}
	}
	return inside
}

// names lists all settings and sections.
func (f *yamlFile) names() []string {
	var names []string
	for _, r := range f.rows {
		if section, _, ok := strings.Cut(r.name, "."); ok && !slices.Contains(names, section) {
			names = append(names, section)
		}
		names = append(names, r.name)
	}
	return names
}
