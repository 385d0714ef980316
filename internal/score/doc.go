// Package score judges records against the page that they came from.
package score
