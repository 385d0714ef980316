//go:build race

package llmblueprint

import "time"

// limit is what a hostile page may take under the race detector on a busy machine.
const limit = 60 * time.Second
