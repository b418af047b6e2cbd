package main

func (r *Runner) Run(from, to int, step int, rest ...string) (int, error) {
	return from, nil
}
