// Package glean reads the fields of a single entity from what its page shows, where
// the data for machines are silent or contradict what people see.
package glean
