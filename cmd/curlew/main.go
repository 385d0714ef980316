// Command curlew turns websites into structured, change-tracked feeds.
package main

import (
	"os"

	"curlew/internal/door/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
