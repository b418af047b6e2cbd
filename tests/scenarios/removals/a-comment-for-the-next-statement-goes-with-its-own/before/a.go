package main

import _ "embed"

//go:embed a.tmpl
var tpl string
var other string
