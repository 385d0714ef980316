package databasetest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/curlew-data/curlew/internal/testkit/eventually"
)

// Pooler starts a PgBouncer in front of a Postgres database and gives the database's address behind it.
// The mode is its pool_mode: session, transaction or statement.
func Pooler(t *testing.T, address, mode string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("PgBouncer is not installed: `make test` installs it")
	}
	server, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listens := listener.Addr().(*net.TCPAddr)
	_ = listener.Close()
	size := map[string]int{"session": 60}[mode] // every connection has one of its own there
	settings := fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s\n[pgbouncer]\nlisten_addr = %s\nlisten_port = %d\n"+
		"unix_socket_dir =\nauth_type = any\npool_mode = %s\ndefault_pool_size = %d\n",
		server.Hostname(), server.Port(), server.User.Username(), listens.IP, listens.Port, mode, max(size, 4))
	file := filepath.Join(folderForAll(t), "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	pooler := exec.Command(program, file)
	if os.Getuid() == 0 { // it refuses to run as root
		pooler = exec.Command(program, "-u", "postgres", file)
	}
	if err := pooler.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pooler.Process.Kill(); _ = pooler.Wait() })
	server.Host = listens.String()
	eventually.Told(t, "PgBouncer listens", func() (bool, string) {
		conn, err := net.Dial("tcp", server.Host)
		if err != nil {
			return false, err.Error()
		}
		_ = conn.Close()
		return true, ""
	})
	return server.String()
}

// folderForAll is a temporary folder that other users can read.
func folderForAll(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "pooler")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}
