package work

import "errors"

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

func New() *Worker { return &Worker{} }
