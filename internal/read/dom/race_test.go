//go:build race

package dom

import "time"

// hostileTime is longer where the race detector slows everything down.
const hostileTime = 60 * time.Second

// hostileSize is smaller, too.
const hostileSize = 1 * mebibyte

// everyPage thins the corpus out: there is no concurrency to find in it.
const everyPage = 40
