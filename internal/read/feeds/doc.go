// Package feeds turns what sites publish for readers of feeds and calendars into
// drafts: RSS, Atom and JSON Feed entries, and iCalendar events with the rules by
// which they recur.
//
// It refuses what is not a feed, and what is built to exhaust its reader: nesting
// without end, one entry a million times. It fetches nothing and has no clock of its own.
package feeds
