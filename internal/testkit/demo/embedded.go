package demo

import (
	"bytes"
	"encoding/json"
	"sync"
)

// embedded gives what a JSON file among the templates holds, read at the first call.
// The files are compiled in: one that cannot be read is a mistake that every test finds.
func embedded[T any](file string) func() T {
	return sync.OnceValue(func() (value T) {
		text, err := templates.ReadFile("templates/" + file)
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(text))
			d.DisallowUnknownFields()
			err = d.Decode(&value)
		}
		if err != nil {
			panic(file + ": " + err.Error())
		}
		return value
	})
}
