package work

import "errors"

// ErrEmpty says that there was nothing to do.
var ErrEmpty = errors.New("empty")

type (
	// Job is one thing to do.
	Job struct {
		Name string
	}

	// Queue holds jobs.
	Queue []Job
)

// Worker works.
type Worker struct {
	queue Queue
}

// Process does the first job.
func (w *Worker) Process() error {
	if len(w.queue) == 0 {
		return ErrEmpty
	}
	return nil
}

func New() *Worker { return &Worker{} }
