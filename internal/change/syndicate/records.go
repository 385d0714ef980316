package syndicate

import (
	"bufio"
	"encoding/json"
	"time"
)

// recordTable writes the rows of a table as one array of JSON objects, in the order of the columns and without empty cells.
type recordTable struct {
	out   *bufio.Writer
	names [][]byte
	begun bool
}

func writeRecords(out *bufio.Writer, f Feed, _ Options) error {
	t := &recordTable{out: out}
	_ = out.WriteByte('[')
	if err := writeTable(t, f); err != nil {
		return err
	}
	_, err := out.WriteString("\n]\n")
	return err
}

func (t *recordTable) header(columns []string) error {
	for _, name := range columns {
		text, err := json.Marshal(name)
		if err != nil {
			return err
		}
		t.names = append(t.names, append(text, ':'))
	}
	return nil
}

func (t *recordTable) row(values []any) error {
	if t.begun {
		_ = t.out.WriteByte(',')
	}
	t.begun = true
	_, _ = t.out.WriteString("\n{")
	before := ""
	for i, v := range values {
		if tableText(v) == "" {
			continue
		}
		switch v.(type) {
		case time.Time, day:
			v = tableText(v)
		}
		text, err := json.Marshal(v)
		if err != nil { // a number that is none
			text, err = json.Marshal(tableText(v))
		}
		if err != nil {
			return err
		}
		_, _ = t.out.WriteString(before)
		_, _ = t.out.Write(t.names[i])
		_, _ = t.out.Write(text)
		before = ","
	}
	return t.out.WriteByte('}')
}
