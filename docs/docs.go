// Package docs holds the documents that the program itself shows.
package docs

import _ "embed"

// Model is docs/MODEL.md: the model, equation by equation.
//
//go:embed MODEL.md
var Model string
