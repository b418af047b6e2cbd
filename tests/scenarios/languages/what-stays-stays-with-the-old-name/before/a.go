package a

import _ "embed"

// tpl is the template.
//
//go:embed a.tmpl
var tpl string

// F does it.
func F() {}
