//go:build !race

package dom

import "time"

// hostileTime is what a page of 10 MiB may take on a machine that is busy with
// other things; alone it takes a tenth of that. Unbounded, such pages take minutes.
const hostileTime = 15 * time.Second

// hostileSize is the size of the largest hostile pages.
const hostileSize = 10 * mebibyte

// everyPage says which pages of the corpus are read: each one.
const everyPage = 1
