package m

type User struct {
	Name     string `json:"name" db:"n"`
	Password string `json:"-"`
	Age, Size int
}

type Doer interface {
	Do()
	Undo()
}
