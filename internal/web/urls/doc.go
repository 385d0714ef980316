// Package urls finds URLs and decides which of them to fetch: it reads
// sitemaps, feeds and the links of pages, brings URLs into one spelling, keeps
// a crawl inside its scope and budget, and compares what was found with what
// was known.
//
// It refuses to fetch, to store and to look at a clock. Everything in it is a
// function of its arguments, and everything it reads is hostile until read.
package urls
