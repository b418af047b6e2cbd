package a

import _ "embed"

// tpl is the mail template.
//go:embed a.tmpl
var tpl string

func helper() {}

// F does it.
func F() { helper() }
