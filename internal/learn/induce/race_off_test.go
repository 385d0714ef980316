//go:build !race

package induce

import "time"

// limit is what a hostile page may take; a busy machine gets twice as long as a user's.
const limit = 4 * time.Second
