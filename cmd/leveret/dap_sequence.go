package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"leveret/dap"
	"leveret/engine"
	"leveret/engine/corpus"
	"leveret/engine/finding"
	"leveret/engine/foreign"
	"leveret/engine/input"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// sequence records the transactions of a file.
func (f *debugFlags) sequence(ctx context.Context, c console, args *dap.LaunchArguments, use dap.Use) error {
	q, err := readSequence(c, args.Sequence, args.Input)
	if err != nil {
		return err
	}
	env := environment(f.compilerFlags)
	env.Watch = newCompileProgress(c.err, !f.fast).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	forks := f.forks(ctx, c, env)
	defer forks.close()
	s, found, err := f.replayed(ctx, c, tools, forks, args, q, f.fastFlag.settings())
	if err != nil {
		return err
	}
	if len(found) > 0 {
		fmt.Fprintln(c.out, "The transactions fail:", found[0].Message)
	} else {
		fmt.Fprintln(c.out, "The transactions cause no finding.")
	}
	if optimised(s.unit.Build) {
		quiet := console{in: c.in, out: io.Discard, err: io.Discard}
		plain, there, err := f.replayed(ctx, quiet, tools, forks, args, q, new(project.Fast))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && optimised(plain.unit.Build):
			fmt.Fprintf(c.out, noteOptimised, noUnoptimised, s.unit.Build.Settings)
		case err == nil && alike(found, there):
			fmt.Fprintf(c.out, notePlain, "the transactions end alike there")
			s, found = plain, there
		default:
			fmt.Fprintf(c.out, noteOptimised, "the transactions end in another way on a build without the optimizer", s.unit.Build.Settings)
		}
	}
	blamed := finding.Finding{Witness: s.sequence}
	if len(found) > 0 {
		blamed = found[0]
	}
	return s.debug(ctx, blamed, "", use)
}

// alike reports whether two builds show the same finding first, or none.
func alike(a, b []finding.Finding) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return a[0].Oracle == b[0].Oracle && a[0].Place.File == b[0].Place.File && a[0].Place.Start == b[0].Place.Start
}

// replayed compiles the sources and replays a sequence. It returns what fails.
func (f *debugFlags) replayed(ctx context.Context, c console, tools *compiler.Toolchain, forks *forkOpener, args *dap.LaunchArguments, q *savedSequence, fast *project.Fast) (*subject, []finding.Finding, error) {
	on, err := f.contract(ctx, c, tools, args, q, fast)
	if err != nil {
		return nil, nil, err
	}
	s := &subject{unit: on.Unit, contract: on.Contract}
	if s.outside, err = forks.reach(args.Sequence, q.fork(), on.Unit, on.Contract); err != nil {
		return nil, nil, err
	}
	if s.sequence, err = q.bound(ctx, s); err != nil {
		return nil, nil, fmt.Errorf("%s does not fit %s: %w", args.Sequence, on.Contract.Name, err)
	}
	result, err := engine.Replay(ctx, s.contract, s.unit.Build.Contracts, s.sequence, s.outside, false)
	if err == nil && result.Note != "" {
		err = errors.New(result.Note)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s cannot be replayed: %w", args.Sequence, err)
	}
	return s, result.Findings, nil
}

// contract compiles the sources and chooses the contract that runs a sequence: the one
// that is named, else the one that the sequence deploys, else the only one.
func (f *debugFlags) contract(ctx context.Context, c console, tools *compiler.Toolchain, args *dap.LaunchArguments, q *savedSequence, fast *project.Fast) (on selection.Candidate, err error) {
	path := args.Path
	if path == "" {
		path = "."
	}
	batches, failures, err := selection.Open(tools, []string{path})
	if err != nil {
		return on, err
	}
	units, failed := c.compile(ctx, batches, fast)
	if failures = append(failures, failed...); len(units) == 0 && len(failures) > 0 {
		return on, c.nothing(failures)
	}
	c.failed(failures)
	var names []string
	if name := args.Contract; name != "" {
		names = []string{name}
	} else if name = q.deployed(); name != "" {
		names = []string{name}
	}
	list, err := selection.Choose(units, names)
	if err != nil {
		return on, fmt.Errorf("contract %w", err)
	}
	var fit []selection.Candidate
	for _, candidate := range list {
		if candidate.Note == "" {
			fit = append(fit, candidate)
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(fit) > 1:
		return on, fmt.Errorf(`%s has several contracts that can run %s, such as %s and %s; name one with "contract"`, path, args.Sequence, fit[0].Contract.Name, fit[1].Contract.Name)
	case len(list) > 0:
		return on, fmt.Errorf("%s cannot be debugged: %s", list[0].Contract.Name, list[0].Note)
	}
	return on, fmt.Errorf("%s has no contract that can run %s", path, args.Sequence)
}

// A savedSequence is what a file has: transactions of Leveret, or calls of another
// fuzzer.
type savedSequence struct {
	own   input.Sequence
	other *foreign.Sequence // nil: own
}

// readSequence reads a file with one sequence, or one of the inputs of a corpus, which
// its id or number chooses.
func readSequence(c console, path, chosen string) (*savedSequence, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, cause(err))
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxReport+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", path, cause(err))
	case len(data) > maxReport:
		return nil, fmt.Errorf("%s is too large: files with transactions have at most 256 MB", path)
	case bytes.HasPrefix(data, []byte("leveret corpus ")):
		texts, err := c.loaded(engine.OpenCorpus(path))
		if err != nil {
			return nil, err
		}
		if data, err = chooseInput(texts, path, chosen); err != nil {
			return nil, err
		}
	case chosen != "":
		return nil, fmt.Errorf(`%s has one sequence; "input" chooses in a file of leveret fuzz --corpus`, path)
	}
	if !bytes.HasPrefix(data, []byte("leveret ")) {
		other, err := foreign.Read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: not an input of Leveret, and %w", path, err)
		}
		return &savedSequence{other: &other}, nil
	}
	own, err := input.ReadText(data, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(own.Txs) == 0 {
		return nil, fmt.Errorf("%s has no transactions", path)
	}
	return &savedSequence{own: own}, nil
}

// chooseInput returns the input of a corpus with an id or a number; without these, the
// only one.
func chooseInput(texts [][]byte, path, chosen string) ([]byte, error) {
	if chosen == "" && len(texts) == 1 {
		return texts[0], nil
	}
	for i, text := range texts {
		if chosen == corpus.IDOf(text).String() || chosen == strconv.Itoa(i+1) {
			return text, nil
		}
	}
	switch {
	case len(texts) == 0:
		return nil, fmt.Errorf("%s has no inputs", path)
	case chosen == "":
		return nil, fmt.Errorf(`%s has %d inputs; choose one with "input", its number or its id in leveret corpus show`, path, len(texts))
	}
	return nil, fmt.Errorf("%s has no input %q; it has %d, whose numbers and ids leveret corpus show prints", path, chosen, len(texts))
}

// deployed returns file and contract, "A.sol:A", of the contract under test; empty if
// the sequence does not say.
func (q *savedSequence) deployed() string {
	made := q.own.Deployment.Newest()
	if made == nil {
		return ""
	}
	for i := range q.own.Deployment.Creations {
		if x := &q.own.Deployment.Creations[i]; x.Tested {
			made = x
		}
	}
	if made.File == "" {
		return made.Class()
	}
	return made.File + ":" + made.Class()
}

// fork returns the fork that the deployment names; nil if it names none.
func (q *savedSequence) fork() *input.Fork {
	if q.own.Deployment == nil {
		return nil
	}
	return q.own.Deployment.Fork
}

// bound returns the sequence on a contract.
func (q *savedSequence) bound(ctx context.Context, s *subject) (input.Sequence, error) {
	if q.other == nil {
		return q.own, nil
	}
	m, err := engine.Measure(ctx, s.contract, s.unit.Build.Contracts, nil, []foreign.Sequence{*q.other}, engine.Options{Fork: s.outside.Fork})
	switch {
	case err != nil:
		return input.Sequence{}, err
	case m.Note != "":
		return input.Sequence{}, errors.New(m.Note)
	case m.Inputs[0].Unfit != "":
		return input.Sequence{}, errors.New(m.Inputs[0].Unfit)
	}
	return m.Inputs[0].Sequence, nil
}
