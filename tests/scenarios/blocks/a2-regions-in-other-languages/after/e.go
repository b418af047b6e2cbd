package e
