package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/curlew-data/curlew/internal/app/auth"
	"github.com/curlew-data/curlew/internal/door/mcp"
	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/curlew-data/curlew/internal/ops/setup"
)

type mcpCommand struct {
	HTTP    bool   `name:"http" help:"Serve it over HTTP, as \"curlew serve\" does, and print its address; each request needs an API key." xor:"how"`
	KeyFile string `help:"Use the org and rights of the API key in this file; by default, those of the operator." placeholder:"FILE" type:"path" xor:"how"`
}

func (c *mcpCommand) Run(a *program) error {
	if c.HTTP {
		return a.serve(config.Serve, func(i *setup.Installation) {
			fmt.Fprintf(a.Err, "Agents reach Curlew at %s%s with the header \"Authorization: Bearer KEY\"; \"curlew keys add agent --scope read "+
				"--scope write\" makes a key.\n", i.Reachable(), mcp.Path)
		})
	}
	org, err := a.org()
	if err != nil {
		return err
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	i, err := a.openToRead(a.Context, "")
	if err != nil {
		return err
	}
	defer i.Close()
	use := useCases(i)
	who := func(ctx context.Context) (auth.Identity, error) {
		if key != "" {
			return use.Accounts.WithKey(ctx, key, "")
		}
		return operator(org), nil
	}
	ctx, end := context.WithCancel(a.Context)
	var worker sync.WaitGroup
	defer worker.Wait()
	defer end()
	worker.Go(func() { // so that sites are read also where no server runs
		o := i.WorkerOptions()
		o.Periodic = i.Jobs.Periodic()
		i.Work(ctx, o)
	})
	return mcp.Talk(ctx, mcp.Options{App: use, Log: a.log, Version: i.Version}, who, io.NopCloser(a.In), openEnd{a.Out})
}

// key is the API key to work with; "" for none.
func (c *mcpCommand) key() (string, error) {
	if c.KeyFile == "" {
		return "", nil
	}
	text, err := os.ReadFile(c.KeyFile)
	if err != nil {
		return "", exitError{unreadable(c.KeyFile, err), exitUsage}
	}
	return strings.TrimSpace(string(text)), nil
}

// openEnd is an output that others close.
type openEnd struct{ io.Writer }

// Close leaves it open.
func (openEnd) Close() error { return nil }
