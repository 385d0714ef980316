package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/curlew-data/curlew/bench/measure"
	"github.com/jackc/pgx/v5"
)

// server is a Postgres of the benchmark's own: as durable as a real one, and counting its statements.
type server struct {
	folder  string
	script  string
	address string
}

func startServer(ctx context.Context) (*server, error) {
	root, err := measure.Root()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "curlew-scale-")
	if err != nil {
		return nil, err
	}
	s := &server{folder: folder, script: filepath.Join(root, "scripts", "postgres")}
	// Postgres runs as another user than root, who must get through.
	if err := os.Chmod(folder, 0o755); err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *server) start(ctx context.Context) error {
	if err := s.tell(ctx, "start", "durable"); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, setting := range []string{"shared_preload_libraries = 'pg_stat_statements'", "shared_buffers = '2GB'", "max_wal_size = '8GB'"} {
		if _, err := conn.Exec(ctx, "ALTER SYSTEM SET "+setting); err != nil {
			return err
		}
	}
	return s.tell(ctx, "restart")
}

func (s *server) tell(ctx context.Context, verb string, more ...string) error {
	command := exec.CommandContext(ctx, s.script, append([]string{verb, filepath.Join(s.folder, "postgres")}, more...)...)
	command.Stderr = os.Stderr
	said, err := command.Output()
	if err != nil {
		return fmt.Errorf("%s Postgres: %w", verb, err)
	}
	s.address = strings.TrimSpace(string(said))
	return nil
}

func (s *server) stop() {
	_ = exec.Command(s.script, "stop", filepath.Join(s.folder, "postgres")).Run()
	_ = os.RemoveAll(s.folder)
}

// A database whose clock is simulated: in its search path, functions with the names of those by which
// Postgres tells the time come before Postgres's own. They add what was skipped, which a sequence
// keeps: it is read without a lock and written without a new row. As Postgres's own they are stable,
// and no inlined expression, so that statements are planned as they are otherwise.
const clockSQL = `CREATE EXTENSION pg_stat_statements;
CREATE SCHEMA simulated;
CREATE SEQUENCE simulated.skipped MINVALUE 0 START 0;
CREATE FUNCTION simulated.statement_timestamp() RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
	DECLARE micros bigint; BEGIN SELECT last_value INTO micros FROM simulated.skipped;
	RETURN pg_catalog.statement_timestamp() + micros * interval '1 microsecond'; END $$;
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
	DECLARE micros bigint; BEGIN SELECT last_value INTO micros FROM simulated.skipped;
	RETURN pg_catalog.clock_timestamp() + micros * interval '1 microsecond'; END $$;`

// makeDatabase makes a database with a simulated clock and gives its address.
func makeDatabase(ctx context.Context, server string) (address string, drop func(), err error) {
	name := fmt.Sprintf("scale_%d", time.Now().UnixNano())
	if err := execAt(ctx, server, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	drop = func() { _ = execAt(context.WithoutCancel(ctx), server, "DROP DATABASE "+name+" WITH (FORCE)") }
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	u.Path = "/" + name
	address = u.String()
	if err := execAt(ctx, address, clockSQL); err != nil {
		drop()
		return "", nil, err
	}
	return address, drop, execAt(ctx, server, "ALTER DATABASE "+name+" SET search_path = public, simulated, pg_catalog")
}

func execAt(ctx context.Context, address, statements string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements)
	return err
}
