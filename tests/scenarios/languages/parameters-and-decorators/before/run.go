package main

func (r *Runner) Run(ctx context.Context, from, to int, rest ...string) (int, error) {
	return from, nil
}
