package a

import (
	"errors"
	"fmt"
	"os"
)
