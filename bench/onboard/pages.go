package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
)

// page is a captured page, and where it came from.
type page struct {
	file, address string
	body          []byte
}

// sets are those of the corpus whose pages are lists of something.
var sets = []string{"city-scrapers", "next-eval", "calendar-ripper", "court-lists"}

// realPages are the first pages of each set, by their names.
func realPages(ctx context.Context, most int) (chosen []page, err error) {
	folder, err := measure.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		all, err := pagesOf(filepath.Join(folder, set, "dev"))
		if err != nil {
			return nil, err
		}
		slices.SortFunc(all, func(a, b page) int { return strings.Compare(a.file, b.file) })
		for _, p := range all[:min(len(all), most)] {
			if p.body, err = os.ReadFile(p.file); err != nil {
				return nil, err
			}
			chosen = append(chosen, p)
		}
	}
	return chosen, nil
}

func pagesOf(folder string) (all []page, err error) {
	lines, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(lines) {
		var row struct {
			File, Page, URL string
			Pages           []struct{ File, URL string }
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		if len(row.Pages) > 0 {
			row.File, row.URL = row.Pages[0].File, row.Pages[0].URL
		}
		if file := cmp.Or(row.File, row.Page); strings.HasSuffix(file, ".html") {
			all = append(all, page{file: filepath.Join(folder, file), address: cmp.Or(row.URL, "https://example.org/list")})
		}
	}
	return all, nil
}
