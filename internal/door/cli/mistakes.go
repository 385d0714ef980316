package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/curlew-data/curlew/internal/curlew"
	"github.com/curlew-data/curlew/internal/text"
)

// mistakes are what the parser says of a command line, and the same in plain words.
var mistakes = []struct {
	said  *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`^expected "(<.*>)( \.\.\.)?"$`), "missing argument: $1"},
	{regexp.MustCompile(`^expected "(<.*)"$`), "missing arguments: $1"},
	{regexp.MustCompile(`^missing positional arguments `), "missing arguments: "},
	{regexp.MustCompile(`"([^"]*)" exists but is a directory$`), "$1 is a folder: name a file"},
	{regexp.MustCompile(`: expected .* value but got "(-[0-9][^"]*)" \(short flag\); perhaps try (--[^ =]+)="[^"]*"\?$`),
		": it begins with a dash: write $2=$1"},
	{regexp.MustCompile(`: expected .* value but got "EOL".*$`), ": give a value"},
	{regexp.MustCompile(`expected an? (valid \d+ bit )?u?int but got`), "expected a whole number but got"},
	{regexp.MustCompile(`expected a float but got ("[^"]*") .*$`), "expected a number but got $1"},
}

var enumMistake = regexp.MustCompile(`^(.*) must be one of (.*) but got "(.*)"$`)

// plainMistake is what is wrong with a command line, without the types and system calls of the parser.
func plainMistake(err error) string {
	said := err.Error()
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		said = strings.Replace(said, path.Error(), text.FileProblem(path.Path, path), 1)
	}
	if found := enumMistake.FindStringSubmatch(said); found != nil {
		var words []string
		for word := range strings.SplitSeq(found[2], ",") {
			if word = strings.Trim(word, `"`); word != "" {
				words = append(words, word)
			}
		}
		return found[1] + ": " + curlew.ChoiceProblem(found[3], words)
	}
	for _, m := range mistakes {
		said = m.said.ReplaceAllString(said, m.plain)
	}
	return said
}

// unreadable says why a file that somebody named cannot be read.
func unreadable(path string, err error) *curlew.Fault {
	return curlew.Permanent("cannot_read", "%s", text.FileProblem(path, err)).Because(err)
}

// unwritable says why a file that somebody named cannot be written.
func unwritable(path string, err error) *curlew.Fault {
	if errors.Is(err, fs.ErrNotExist) {
		return curlew.Permanent("cannot_write", "no such folder: %s", filepath.Dir(path)).Because(err)
	}
	return curlew.Permanent("cannot_write", "%s", text.FileProblem(path, err)).Because(err)
}

// inputProblem says why the lines of the input cannot be read further.
func inputProblem(in *bufio.Scanner) error {
	err := in.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("a line is longer than %d MiB", longestLine>>20)
	}
	if err != nil {
		err = exitError{curlew.Permanent("bad_line", "the input cannot be read: %s", err), exitUsage}
	}
	return err
}

// flagNames are those of flags that are not called what the field is.
var flagNames = map[string]string{"schedule": "every", "removal_share": "removal-percent", "expires_at": "expires", "fields": "field",
	"scopes": "scope", "headers": "header"}

// flagged names the flags of a command where problems name the fields that they set.
func flagged(flags []*kong.Flag, wrong curlew.Problems) curlew.Problems {
	named := make(curlew.Problems, len(wrong))
	for i, p := range wrong {
		field, _, entry := strings.Cut(p.Field, "/")
		name := cmp.Or(flagNames[field], strings.ReplaceAll(field, "_", "-"))
		for _, f := range flags {
			if f.Name == name && (!entry || f.Set && f.IsCumulative()) { // else a file says it
				p.Field = "--" + name
			}
		}
		named[i] = p
	}
	return named
}

// readDuration reads a number of days, as 7d, or what Go writes.
func readDuration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	return time.ParseDuration(text)
}

func decodeDuration(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("duration")
	if err != nil {
		return err
	}
	d, err := readDuration(token.String())
	if err != nil {
		return fmt.Errorf("%q is not a duration: write it as 90s, 15m, 24h or 7d", token.String())
	}
	target.SetInt(int64(d))
	return nil
}
