package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/jackc/pgx/v5"
)

// place is where the databases live during the benchmark.
type place struct {
	folder string
	server string   // URL of a Postgres; empty without
	script string   // that started the server and stops it; empty if it was given
	made   []string // databases on the server
}

// prepare finds or starts what the benchmark runs on.
func prepare(ctx context.Context, server string, sqliteOnly bool) (*place, error) {
	folder, err := os.MkdirTemp("", "curlew-bench-")
	if err != nil {
		return nil, err
	}
	p := &place{folder: folder, server: server}
	if server != "" || sqliteOnly {
		return p, nil
	}
	root, err := measure.Root()
	if err == nil {
		p.script = filepath.Join(root, "scripts", "postgres")
		err = p.startPostgres(ctx)
	}
	if err != nil {
		p.clear()
		return nil, err
	}
	return p, nil
}

// startPostgres starts a server that is as durable as a real one: with fsync.
func (p *place) startPostgres(ctx context.Context) error {
	// Postgres runs as another user than root, who must get through.
	if err := os.Chmod(p.folder, 0o755); err != nil {
		return err
	}
	start := exec.CommandContext(ctx, p.script, "start", p.postgresFolder(), "durable")
	start.Stderr = os.Stderr
	address, err := start.Output()
	if err != nil {
		return fmt.Errorf("start Postgres: %w", err)
	}
	p.server = strings.TrimSpace(string(address))
	return nil
}

func (p *place) postgresFolder() string { return filepath.Join(p.folder, "postgres") }

// sqlite gives the address of a new SQLite file.
func (p *place) sqlite(name string) string {
	return "sqlite:" + filepath.Join(p.folder, name+".db")
}

// postgres makes a database on the server and gives its address.
func (p *place) postgres(ctx context.Context, name string) (string, error) {
	name = fmt.Sprintf("bench_%d_%s", os.Getpid(), name)
	if err := p.tell(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	p.made = append(p.made, name)
	address, err := url.Parse(p.server)
	if err != nil {
		return "", err
	}
	address.Path = "/" + name
	return address.String(), nil
}

func (p *place) tell(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, p.server)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// clear leaves nothing behind, also after an interruption.
func (p *place) clear() {
	switch {
	case p.script != "":
		_ = exec.Command(p.script, "stop", p.postgresFolder()).Run()
	case p.server != "":
		for _, name := range p.made {
			_ = p.tell(context.Background(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		}
	}
	_ = os.RemoveAll(p.folder)
}
