//go:build race

package score

const raced = true
