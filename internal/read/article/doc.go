// Package article reads an article: its text, as Markdown too, title, author,
// language, and the day on which it was published; and judges whether a page is an
// article at all.
//
// The text is a choice among the blocks that the page shows: go-trafilatura, the
// page's own articleBody and the density of prose vote, and what is known to be no
// part of a text (captions, share bars, the title again) is left out. Nothing is
// written that the page does not say, and a date is silence rather than a guess.
package article
