// Disguise copies pages whose truth is known and changes what they are made of, but
// not what they say: an extractor that has learned what pages mean reads the copies
// as it reads the originals, one that has learned what these pages look like does not.
//
//	disguise NAME FROM TO    copies the folder FROM to TO, each page disguised
//	disguise -list           the names and what they do
//
// It keeps to the bytes of a page's texts, so that nothing but the markup differs.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlew-data/curlew/bench/markup"
	"golang.org/x/net/html"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "disguise:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "-list" {
		for _, d := range markup.Disguises {
			fmt.Printf("%s\t%s\n", d.Name, d.What)
		}
		return nil
	}
	if len(args) != 3 {
		return errors.New("usage: disguise NAME FROM TO, or disguise -list")
	}
	for _, d := range markup.Disguises {
		if d.Name == args[0] {
			return copyFolder(args[1], args[2], d.Change)
		}
	}
	return fmt.Errorf("there is no disguise called %q: disguise -list names them", args[0])
}

// copyFolder copies a folder with all that is below it.
func copyFolder(from, to string, change func(*html.Node)) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if body, err = disguised(path, body, change); err != nil {
			return fmt.Errorf("%s: %w", below, err)
		}
		return os.WriteFile(target, body, 0o644)
	})
}

// disguised is a file's content in disguise, when the file is a page.
func disguised(path string, body []byte, change func(*html.Node)) ([]byte, error) {
	name, packed := strings.CutSuffix(strings.ToLower(path), ".gz")
	if !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
		return body, nil
	}
	if packed {
		var err error
		if body, err = unpack(body); err != nil {
			return nil, err
		}
	}
	if isMarkup(body) {
		root, err := html.Parse(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		change(root)
		var out bytes.Buffer
		if err := html.Render(&out, root); err != nil {
			return nil, err
		}
		body = out.Bytes()
	}
	if packed {
		return pack(body)
	}
	return body, nil
}

// isMarkup leaves out the answers of APIs, which are kept under names of pages, and
// what the parser cannot read as bytes.
func isMarkup(body []byte) bool {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		return false
	}
	start := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	return len(start) > 0 && start[0] != '{' && start[0] != '['
}

func unpack(body []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

func pack(body []byte) ([]byte, error) {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	if _, err := writer.Write(body); err != nil {
		return nil, err
	}
	err := writer.Close()
	return out.Bytes(), err
}
