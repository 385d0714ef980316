package cli

import (
	"io"
	"log/slog"
	"os"

	"github.com/curlew-data/curlew/internal/ops/config"
	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"
)

// newLogger logs as configured: text for people, JSON for programs.
func newLogger(w io.Writer, terminal bool, c config.Log) *slog.Logger {
	if c.Format == config.LogText || c.Format == config.LogAuto && terminal {
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: c.Level, TimeFormat: "15:04:05", NoColor: !colourful(w)}))
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: c.Level}))
}

// colourful says whether colours make sense: a terminal, and nobody minds
// (no-color.org).
func colourful(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd()) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
