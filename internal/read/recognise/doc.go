// Package recognise tells what kind of entities the data of a page are: items of
// known vocabularies by a table, arrays of JSON objects by the names, types and
// values of their keys. What it finds out it writes down as a blueprint.
package recognise
