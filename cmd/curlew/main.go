// Command curlew turns websites into structured, change-tracked feeds.
package main

import (
	"os"

	"github.com/curlew-data/curlew/internal/door/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
