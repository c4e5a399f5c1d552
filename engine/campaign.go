// Package engine is the fuzzer's only door: Run fuzzes one contract.
package engine

import (
	"context"
	"errors"

	"leveret/engine/finding"
	"leveret/solc"
)

// Run fuzzes contract until ctx is done or the budget is spent. Others of the
// project serve as dependencies. A contract that cannot be fuzzed gives a
// Result with a Note, not an error; an error means that the options are wrong.
func Run(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*finding.Result, error) {
	return nil, errors.New("not built yet")
}
