package normalise

import (
	"strings"

	"github.com/curlew-data/curlew/internal/text/dates"
)

// duration reads how long something takes, in seconds.
func (w *work) duration(name string, value any) any {
	text := strings.TrimSpace(line(scalarText(value), 300))
	if text == "" {
		return nil
	}
	seconds, ok := dates.Duration(text)
	if !ok || seconds < 0 || seconds > maxInteger {
		w.note(name, "not_a_duration", "the text does not say how long something takes")
		return nil
	}
	return int64(seconds + 0.5)
}
