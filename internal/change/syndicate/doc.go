// Package syndicate writes entities and changes as feeds and exports that other programs
// read: Atom, RSS 2.0, JSON Feed 1.1, CSV, Excel, JSON, JSON lines and iCalendar.
//
// It is pure: it reads no clock and no database, so the same entries give the same
// bytes and the same validators. It writes as it reads, and never keeps a feed whole.
// All text in it is foreign: it refuses to pass on markup, formulas, addresses of
// other schemes than http and https, or characters that a format forbids.
package syndicate
