package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/curlew-data/curlew/internal/text"
)

// decodeOutFile reads the name of a file to write, and refuses one that cannot be written before any work is done for it.
func decodeOutFile(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("file")
	if err != nil {
		return err
	}
	path := token.String()
	if strings.HasPrefix(path, "~/") {
		path = kong.ExpandPath(path)
	}
	target.SetString(path)
	if path == "" || path == "-" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return errors.New(text.FileProblem(path, syscall.EISDIR))
	case err == nil && !info.Mode().IsRegular():
		return nil
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".curlew-*")
	if err != nil {
		return unwritable(path, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// decodeOutFolder reads the name of a folder to write into, which need not be there.
func decodeOutFolder(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("folder")
	if err != nil {
		return err
	}
	path := token.String()
	target.SetString(path)
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return errors.New(path + " is a file: name a folder")
	}
	return nil
}

// writeTo writes to a file, or to standard output where none is named. A file is
// there whole or not at all; what is no file, such as a pipe, stays what it is.
func (a *program) writeTo(path string, write func(io.Writer) error) (err error) {
	if path == "" || path == "-" {
		return flushed(a.Out, write)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return unwritable(path, err)
		}
		return errors.Join(flushed(file, write), file.Close())
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".curlew-*")
	if err != nil {
		return unwritable(path, err)
	}
	defer os.Remove(file.Name())
	if err := errors.Join(flushed(file, write), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return unwritable(path, err)
	}
	return nil
}

func flushed(to io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriter(to)
	return errors.Join(write(out), out.Flush())
}
