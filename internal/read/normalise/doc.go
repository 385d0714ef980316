// Package normalise turns drafts into records: clean text, dates, money in minor
// units, closed choices, no personal data, and the hash that decides change.
//
// It is pure, never invents a value, and never drops one without saying so.
//
// Money that comes as an int64 counts minor units already; any other number or
// text is an amount as people write it. So a record's fields may be normalised
// again, and stay what they are.
package normalise
