package text

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"regexp/syntax"
	"strings"
	"syscall"
)

// PatternProblem says in plain words why a regular expression does not compile.
func PatternProblem(pattern string, err error) string {
	why := "it does not compile"
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		why = wrong.Code.String()
		if lacking := beyondRE2(wrong.Expr); lacking != "" {
			return fmt.Sprintf("%q cannot be used: the syntax is RE2, which has no %s", pattern, lacking)
		}
		if wrong.Expr != "" && wrong.Expr != pattern {
			why += fmt.Sprintf(" at %q", wrong.Expr)
		}
	}
	return fmt.Sprintf("%q is not a regular expression: %s; the syntax is RE2", pattern, why)
}

// beyondRE2 names what other kinds of regular expressions have and RE2 has not, by how it begins.
func beyondRE2(expr string) string {
	for _, other := range [][2]string{
		{"(?<=", "lookbehind"}, {"(?<!", "lookbehind"}, {"(?=", "lookahead"}, {"(?!", "lookahead"}, {"(?>", "atomic groups"},
		{"(?#", "comments"}, {"(?P=", "backreferences"}, {`\k`, "backreferences"},
	} {
		if strings.HasPrefix(expr, other[0]) {
			return other[1]
		}
	}
	if len(expr) == 2 && expr[0] == '\\' && expr[1] >= '1' && expr[1] <= '9' {
		return "backreferences"
	}
	return ""
}

// JSONProblem says in plain words why a text is not the JSON that is expected.
func JSONProblem(err error) string {
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return "it ends too early: it was cut off, or a bracket or a quotation mark is missing"
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON from character %d on: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &wrong):
		return fmt.Sprintf("%s is %s, and must be %s", cmp.Or(wrong.Field, "it"), jsonNoun(wrong.Value), jsonType(wrong.Type))
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

func jsonNoun(value string) string {
	switch noun, _, _ := strings.Cut(value, " "); noun {
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "string":
		return "text"
	}
	return "a " + value
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float64, reflect.Float32:
		return "a number"
	case reflect.String:
		return "text"
	case reflect.Pointer:
		return jsonType(t.Elem())
	}
	return "a whole number"
}

// FileProblem says in plain words why a file that somebody named cannot be read or written.
func FileProblem(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file: " + path
	case errors.Is(err, fs.ErrPermission):
		return path + " is not open to this user: check its owner and mode"
	case errors.Is(err, syscall.EROFS):
		return path + " is on a disk that is read only"
	case errors.Is(err, syscall.EISDIR):
		return path + " is a folder: name a file"
	case errors.Is(err, syscall.ENOTDIR):
		return path + " is below a file: name a folder"
	case errors.Is(err, syscall.ENOSPC):
		return path + " cannot be written: the disk is full"
	}
	return path + " cannot be opened"
}
