package e

// region limits
const A = 1

// endregion
