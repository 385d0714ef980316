//go:build !race

package quality

const raced = false
