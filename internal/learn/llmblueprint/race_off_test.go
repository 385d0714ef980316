//go:build !race

package llmblueprint

import "time"

// limit is what a hostile page may take.
const limit = 2 * time.Second
