// Package article reads an article: its text, as Markdown too, title, author,
// language, and the day on which it was published.
package article
