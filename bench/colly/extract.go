package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

// extract prints a line for each object with a type in the JSON-LD of the pages.
// Files are visited as the documentation shows for local files.
func extract(c *colly.Collector, list string) error {
	files, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	transport := &http.Transport{}
	transport.RegisterProtocol("file", http.NewFileTransport(http.Dir("/")))
	c.WithTransport(transport)
	out := &lines{out: bufio.NewWriterSize(os.Stdout, 64<<10)}
	var failures atomic.Int64
	printJSONLD(c, out)
	c.OnError(func(*colly.Response, error) { failures.Add(1) })
	for file := range strings.Lines(string(files)) {
		if err := c.Visit("file://" + strings.TrimSpace(file)); err != nil {
			return err
		}
	}
	c.Wait()
	if n := failures.Load(); n > 0 {
		return fmt.Errorf("%d pages failed", n)
	}
	return out.end()
}

// printJSONLD prints the JSON-LD objects of each page.
func printJSONLD(c *colly.Collector, out *lines) {
	c.OnHTML("script[type='application/ld+json']", func(e *colly.HTMLElement) {
		var value any
		if json.Unmarshal([]byte(e.Text), &value) == nil {
			out.objects(value)
		}
	})
}

// lines are printed by many pages at the same time.
type lines struct {
	mu  sync.Mutex
	out *bufio.Writer
	err error
}

// objects prints the objects with a type, looking into arrays and graphs.
func (l *lines) objects(value any) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			l.objects(one)
		}
	case map[string]any:
		l.objects(v["@graph"])
		if v["@type"] != nil {
			l.print(v)
		}
	}
}

func (l *lines) print(object map[string]any) {
	line, err := json.Marshal(object)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.out.Write(append(line, '\n'))
	}
	if err != nil && l.err == nil {
		l.err = err
	}
}

func (l *lines) end() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	return l.out.Flush()
}
