package blueprint

import _ "embed" // for the schema

//go:embed blueprint.schema.json
var schemaText []byte

// JSONSchema is the published schema of this language (JSON Schema 2020-12), also
// in docs/blueprint.schema.json.
func JSONSchema() []byte { return schemaText }
