package inquiry

import _ "embed"

// Schema is the JSON Schema of an inquiry, for whoever writes one.
//
//go:embed schema.json
var Schema []byte
