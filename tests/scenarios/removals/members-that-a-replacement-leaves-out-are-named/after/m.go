package m

type User struct {
	Name     string `json:"Name"`
	Password string
	Age int
}

type Doer interface {
	Do(a int)
}
