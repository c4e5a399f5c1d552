package engine

import (
	"context"
	"errors"
	"fmt"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
)

// Replay re-executes a sequence on contract as it is compiled now and returns
// what fails, written up as Run does; shrunk if asked. The Result has a Note if
// the contract cannot be deployed. The error says why the sequence does not fit
// the contract.
func Replay(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, shrink bool) (result *finding.Result, err error) {
	err = guard(contract, func() (err error) {
		result, err = reexecute(ctx, contract, project, s, shrink)
		return err
	})
	return result, err
}

func reexecute(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, shrink bool) (*finding.Result, error) {
	c, err := newCampaign(ctx, contract, project, Options{})
	if err != nil {
		return nil, err
	}
	if c.result.Note != "" {
		return c.result, nil
	}
	defer c.endWith(ctx)()
	if err := c.redeploy(ctx, s.Deployment); err != nil {
		return nil, err
	}
	bound, ok := c.bind(s)
	if !ok {
		return nil, fmt.Errorf("the sequence calls a function that %s no longer has; fuzz it again", contract.Name)
	}
	budget := 0
	if shrink {
		budget = shrinkBudget
	}
	c.report(bound, c.judge.examine(bound), budget, c.recalled)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return c.finish(), nil
}
