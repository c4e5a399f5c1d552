//go:build !linux

package main

// A watch notes which files of a folder are opened, on Linux alone. Elsewhere
// a secret counts as read if it is shown.
type watch struct{}

func newWatch(string) (*watch, error) { return &watch{}, nil }

func (*watch) opened() []string { return nil }
