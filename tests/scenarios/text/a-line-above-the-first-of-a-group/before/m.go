package a

import (
	"fmt"
	"os"
)
