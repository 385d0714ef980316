package text

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp/syntax"
	"syscall"
)

// PatternProblem says in plain words why a regular expression does not compile.
func PatternProblem(pattern string, err error) string {
	why := "it does not compile"
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		why = wrong.Code.String()
		if wrong.Expr != "" && wrong.Expr != pattern {
			why += fmt.Sprintf(" at %q", wrong.Expr)
		}
	}
	return fmt.Sprintf("%q is not a regular expression: %s; the syntax is RE2", pattern, why)
}

// FileProblem says in plain words why a file that somebody named cannot be read or written.
func FileProblem(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file: " + path
	case errors.Is(err, fs.ErrPermission):
		return path + " is not open to this user: check its owner and mode"
	case errors.Is(err, syscall.EISDIR):
		return path + " is a folder: name a file"
	case errors.Is(err, syscall.ENOTDIR):
		return path + " is below a file: name a folder"
	case errors.Is(err, syscall.ENOSPC):
		return path + " cannot be written: the disk is full"
	}
	return path + " cannot be opened"
}
