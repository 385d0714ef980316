// Package feeds turns RSS, Atom, JSON Feed and iCalendar into drafts.
package feeds
