// Package feeds turns files that sites publish beside their pages into drafts: RSS, Atom
// and JSON Feed entries, and iCalendar events with their recurrence rules. CSV, plain text,
// PDF, sitemaps and JSON of other shapes become pages, which the other readers read.
//
// It refuses what is built to exhaust its reader: nesting without end, one entry a million
// times. It fetches nothing and has no clock of its own.
package feeds
