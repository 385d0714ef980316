package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlew-data/curlew/internal/read/dom"
)

// material is the pages on the disk.
type material struct {
	manifest string // for Curlew
	list     string // for Colly
	bytes    int
}

// layOut writes so many pages, repeating those that there are; a comment at the end
// makes each copy another page.
func layOut(folder string, pages [][]byte, n int) (m material, err error) {
	addresses := make([]string, len(pages))
	for i, body := range pages {
		if addresses[i] = dom.New(body, "").Canonical(); !strings.HasPrefix(addresses[i], "http") {
			addresses[i] = "https://example.org/" + strconv.Itoa(i)
		}
	}
	var manifest, list bytes.Buffer
	lines := json.NewEncoder(&manifest)
	for i := range n {
		body := fmt.Appendf(bytes.Clone(pages[i%len(pages)]), "\n<!-- %d -->\n", i)
		file := filepath.Join(folder, fmt.Sprintf("page%04d.html", i))
		if err := os.WriteFile(file, body, 0o644); err != nil {
			return m, err
		}
		if err := lines.Encode(map[string]string{"file": file, "url": addresses[i%len(pages)]}); err != nil {
			return m, err
		}
		fmt.Fprintln(&list, file)
		m.bytes += len(body)
	}
	m.manifest, m.list = filepath.Join(folder, "manifest.jsonl"), filepath.Join(folder, "list")
	return m, errors.Join(os.WriteFile(m.manifest, manifest.Bytes(), 0o644), os.WriteFile(m.list, list.Bytes(), 0o644))
}
