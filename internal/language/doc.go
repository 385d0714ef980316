// Package language tells the language of a page or a text: what the page says of
// itself first, then what its words look like. It does not guess from a few words.
package language
