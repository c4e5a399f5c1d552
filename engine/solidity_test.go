package engine

import (
	"context"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/search/searchtest"
	"leveret/solc"
)

// compile compiles files with the compilers of the tests.
func compile(t testing.TB, files ...string) *solc.Build {
	t.Helper()
	return searchtest.Compile(t, files...)
}

// contract returns the contract of a build with a name.
func contract(t testing.TB, b *solc.Build, name string) *solc.Contract {
	t.Helper()
	return searchtest.Contract(t, b, name)
}

// run fuzzes one contract of a build.
func run(t testing.TB, b *solc.Build, name string, options Options) *finding.Result {
	t.Helper()
	result, err := Run(context.Background(), contract(t, b, name), b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
