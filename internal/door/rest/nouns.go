package rest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
)

// nouns.json holds what the comments in the sources of this package and of the nouns say:
// the API describes itself in the words of the code. A test keeps it up to date.
//
//go:embed nouns.json
var nounsText []byte

var nouns = readNouns(nounsText)

// vocabulary is what comments say of types and fields, and the closed sets.
type vocabulary struct {
	Docs  map[string]string `json:"docs"`  // by Type and Type.Field
	Enums map[string][]any  `json:"enums"` // by Type
}

func readNouns(text []byte) (v vocabulary) {
	if err := json.Unmarshal(text, &v); err != nil {
		panic(fmt.Sprintf("api: nouns.json: %v", err)) // it is embedded above
	}
	return v
}

// enum lists the values of a closed set.
func (v vocabulary) enum(t reflect.Type) []any { return v.Enums[t.Name()] }
