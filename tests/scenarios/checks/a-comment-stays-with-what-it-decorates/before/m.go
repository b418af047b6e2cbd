package a

type Cache struct{}

// Close frees all that the cache holds.
// It may be called twice.
func (c *Cache) Close() error {
	return nil
}

// Two is a number.
//go:noinline
func Two() int {
	return 2
}
