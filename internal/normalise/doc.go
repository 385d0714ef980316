// Package normalise turns drafts into records: clean text, dates, money in minor
// units, closed choices, no personal data, and the hash that decides change.
//
// It is pure, never invents a value, and never drops one without saying so.
package normalise
