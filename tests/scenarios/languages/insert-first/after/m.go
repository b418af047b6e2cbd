//go:build linux

package a

import "os"
