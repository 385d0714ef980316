// Package language tells the language of a page or a text: by its script where
// that settles it, else by its small words, its letters and its trigrams; for a
// page, what it says of itself is checked against what its text looks like.
//
// It does not guess from a few words: what is too short has no language.
// Languages are primary subtags of BCP 47 ("pl", "nb", "zh").
package language
