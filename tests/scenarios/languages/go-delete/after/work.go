package work

import "errors"

// ErrEmpty says that there was nothing to do.
var ErrEmpty = errors.New("empty")

type (
	// Job is one thing to do.
	Job struct {
		Name string
	}
)

// Worker works.
type Worker struct {
	queue Queue
}

func New() *Worker { return &Worker{} }
