// Package report writes results: one formatter a file.
package report
