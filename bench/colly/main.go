// Colly crawls a site as the documentation of Colly (https://go-colly.org) shows
// it, and says how many pages it had. It is what bench/crawl compares Curlew
// with, in a module of its own so that nothing else depends on it.
//
//	colly URL PAGES-AT-ONCE
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

// largestPage is more than any page of the benchmark has.
const largestPage = 10 << 20

func main() {
	if err := crawl(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

func crawl(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a URL and how many pages at once, not %q", args)
	}
	atOnce, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	c := colly.NewCollector(colly.Async(), colly.MaxBodySize(largestPage))
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: atOnce}); err != nil {
		return err
	}
	var pages, failures atomic.Int64
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		_ = e.Request.Visit(e.Attr("href")) // most were visited already
	})
	c.OnScraped(func(*colly.Response) { pages.Add(1) })
	c.OnError(func(*colly.Response, error) { failures.Add(1) })
	if err := c.Visit(args[0]); err != nil {
		return err
	}
	c.Wait()
	if n := failures.Load(); n > 0 {
		return fmt.Errorf("%d pages failed", n)
	}
	fmt.Println(pages.Load())
	return nil
}
