package article

import "strings"

// render writes the chosen blocks as plain text: a blank line between paragraphs,
// a line for a line, a tab between the cells of a row.
func (c choice) render() string {
	if c.text != "" {
		return c.text
	}
	var out strings.Builder
	for i, b := range c.blocks {
		if i > 0 {
			before := c.blocks[i-1]
			switch {
			case b.cell != nil && b.cell == before.cell:
				out.WriteByte('\t')
			case b.Node == before.Node, b.cell != nil && before.cell != nil:
				out.WriteByte('\n')
			default:
				out.WriteString("\n\n")
			}
		}
		out.WriteString(b.Text)
	}
	return out.String()
}
