package feasibility

import (
	"bytes"
	"encoding/json"
	"sync"
)

// table gives the rows of an embedded JSON file, read at the first call. It panics on a
// file that is malformed.
func table[Row any](file []byte) func() []Row {
	return sync.OnceValue(func() []Row {
		rows, err := readTable[Row](file)
		if err != nil {
			panic("embedded table: " + err.Error())
		}
		return rows
	})
}

func readTable[Row any](file []byte) ([]Row, error) {
	var rows []Row
	d := json.NewDecoder(bytes.NewReader(file))
	d.DisallowUnknownFields()
	err := d.Decode(&rows)
	return rows, err
}
