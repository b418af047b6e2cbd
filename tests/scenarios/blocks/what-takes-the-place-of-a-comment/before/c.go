package a

import _ "embed"

//go:embed a.txt
// the text
var x string
