package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/selection"
)

// A campaignFunc has the signature of engine.Run.
type campaignFunc func(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options engine.Options) (*finding.Result, error)

// fuzz runs the campaign of one contract. A panic becomes the contract's note;
// its earlier findings and the other contracts are still reported.
func (r *fuzzRun) fuzz(ctx context.Context, c selection.Candidate, options engine.Options) (*finding.Result, error) {
	result, err := r.campaign(ctx, c.Contract, c.Unit.Build.Contracts, options)
	if err == nil && result.Undeployed && options.Fork == nil {
		result = r.builtBySetUp(ctx, c, options, result)
	}
	if r.noteForkError(err) {
		return result, nil
	}
	var p *engine.Panic
	if !errors.As(err, &p) {
		return result, err
	}
	r.panics++
	result.Note = withStack(p)
	fmt.Fprintln(r.console.err, "leveret:", oneLine(result.Note))
	return result, nil
}

// builtBySetUp fuzzes a contract that cannot be deployed as setUp of a test of its
// project builds it, and returns the result before if there is none.
func (r *fuzzRun) builtBySetUp(ctx context.Context, c selection.Candidate, options engine.Options, before *finding.Result) *finding.Result {
	for _, other := range selection.BuiltBySetUp(ctx, c) {
		result, err := r.campaign(ctx, other.Contract, other.Unit.Build.Contracts, options)
		if err == nil && !result.Undeployed {
			return result
		}
	}
	return before
}

// withStack returns the message of an error. For a panic of the engine, it writes
// the stack to a file and adds the file's name.
func withStack(err error) string {
	var p *engine.Panic
	if !errors.As(err, &p) {
		return err.Error()
	}
	file, failure := keepStack(p)
	if failure != nil {
		return fmt.Sprintf("%v, with this stack: %s", err, p.Stack)
	}
	return fmt.Sprintf("%v, with the stack in %s", err, file)
}

// keepStack writes a stack to a new file.
func keepStack(p *engine.Panic) (name string, err error) {
	f, err := os.CreateTemp("", "leveret-panic-*.txt")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "Leveret %s\n%s: %v\n\n%s", toolVersion, p.Contract, p.Value, strings.TrimSpace(string(p.Stack))+"\n")
	return f.Name(), errors.Join(err, f.Close())
}
