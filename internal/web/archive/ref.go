package archive

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/curlew"
)

// Ref names the place of one exchange: "FILE:OFFSET:LENGTH". At the offset
// stands the response or revisit record; the length includes the request
// record that follows it. FILE is always the name of an archive file, never a
// path.
type Ref string

// fileName is what archive files are called: the UTC second of their creation,
// host, process id and eight random digits.
var fileName = regexp.MustCompile(`^[0-9]{14}-[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?-[0-9]{1,10}-[0-9a-f]{8}\.warc\.gz$`)

func makeRef(file string, offset, length int64) Ref {
	return Ref(fmt.Sprintf("%s:%d:%d", file, offset, length))
}

// ParseRef checks that text is a Ref.
func ParseRef(text string) (Ref, error) {
	_, _, _, err := Ref(text).split()
	return Ref(text), err
}

// File is the name of the archive file, "" when the Ref is not valid.
func (r Ref) File() string {
	file, _, _, _ := r.split()
	return file
}

func (r Ref) split() (file string, offset, length int64, err error) {
	bad := curlew.Permanent("bad_ref", "%.200q is not a reference into the archive: such a reference is FILE:OFFSET:LENGTH", string(r))
	parts := strings.Split(string(r), ":")
	if len(parts) != 3 || !fileName.MatchString(parts[0]) {
		return "", 0, 0, bad
	}
	offset, errOffset := strconv.ParseInt(parts[1], 10, 64)
	length, errLength := strconv.ParseInt(parts[2], 10, 64)
	if errOffset != nil || errLength != nil {
		return "", 0, 0, bad
	}
	if overflows := offset+length < offset; offset < 0 || length <= 0 || overflows {
		return "", 0, 0, bad
	}
	if makeRef(parts[0], offset, length) != r {
		return "", 0, 0, bad // "+1", "007": one place, one spelling
	}
	return parts[0], offset, length, nil
}
