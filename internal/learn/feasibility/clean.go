package feasibility

import "github.com/curlew-data/curlew/internal/text"

// clean makes text of strangers fit for a terminal.
func clean(s string, width int) string { return text.OneLine(s, width) }
