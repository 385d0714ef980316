//go:build race

package quality

const raced = true
