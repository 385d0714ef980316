// Colly does what the benchmarks compare Curlew with, as the documentation of
// Colly (https://go-colly.org) shows it, in a module of its own so that nothing
// else depends on it.
//
//	colly crawl URL PAGES-AT-ONCE      crawls a site and says how many pages it had
//	colly extract FILE PAGES-AT-ONCE   prints the JSON-LD objects of the pages whose
//	                                   file names are the lines of a file
//	colly records URL PAGES-AT-ONCE    crawls the numbered pages of a site and prints
//	                                   their JSON-LD objects
//	colly rows URL PAGES-AT-ONCE       the same, and prints headings, rows and entries
//	                                   with their links
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

// largestPage is more than any page of the benchmarks has.
const largestPage = 10 << 20

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("want a command, what to read and how many pages at once, not %q", args)
	}
	atOnce, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	c := colly.NewCollector(colly.Async(), colly.MaxBodySize(largestPage))
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: atOnce}); err != nil {
		return err
	}
	switch args[0] {
	case "crawl":
		return crawl(c, args[1])
	case "extract":
		return extract(c, args[1])
	case "records", "rows":
		return records(c, args[1], args[0] == "rows")
	}
	return fmt.Errorf("there is no command %q", args[0])
}

// records crawls the pages that are numbered, and prints what they say.
func records(c *colly.Collector, address string, rows bool) error {
	c.URLFilters = []*regexp.Regexp{regexp.MustCompile(`/numbered/\d*$`)}
	out := &lines{out: bufio.NewWriterSize(os.Stdout, 64<<10)}
	if rows {
		c.OnHTML("h1, tr, li, article p", func(e *colly.HTMLElement) {
			out.print(map[string]any{"text": strings.TrimSpace(e.Text), "url": e.ChildAttr("a[href]", "href")})
		})
	} else {
		printJSONLD(c, out)
	}
	return errors.Join(crawl(c, address), out.end())
}

func crawl(c *colly.Collector, address string) error {
	var pages, failures atomic.Int64
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		_ = e.Request.Visit(e.Attr("href")) // most were visited already
	})
	c.OnScraped(func(*colly.Response) { pages.Add(1) })
	c.OnError(func(*colly.Response, error) { failures.Add(1) })
	if err := c.Visit(address); err != nil {
		return err
	}
	c.Wait()
	if n := failures.Load(); n > 0 {
		return fmt.Errorf("%d pages failed", n)
	}
	fmt.Fprintln(os.Stderr, pages.Load(), "pages")
	return nil
}
