package suite

import (
	"context"
	"errors"
	"fmt"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// Run runs a unit test, or a test with these arguments, on the state after setUp.
func (s *Suite) Run(ctx context.Context, t solc.Test, args ...input.Value) Verdict {
	defer s.cancelWith(ctx)()
	began := s.options.Now()
	s.executed.begin()
	v := s.run(t, args)
	v.Args, v.Executed = args, s.executed.take()
	v.Took = s.options.Now().Sub(began)
	return v
}

// ErrNoABI is why a test with parameters such as storage pointers cannot run.
var ErrNoABI = errors.New("cannot be called: some of its parameters have types without an ABI encoding")

func (s *Suite) run(t solc.Test, args []input.Value) Verdict {
	f := s.Function(t)
	switch {
	case s.fault != nil:
		return Verdict{Test: t, Status: Failed, Reason: s.fault.Reason}
	case t.Removed:
		return Verdict{Test: t, Status: Failed, Reason: solc.RemovedTest}
	case f == nil:
		return Verdict{Test: t, Status: Failed, Reason: ErrNoABI.Error()}
	}
	s.Configure(s.cheats, t)
	w := s.world.Fork()
	if err := s.prepare(w, f); err != nil {
		return Verdict{Test: t, Status: Failed, Reason: err.Error(), Lines: s.cheats.Report.Lines}
	}
	tx := input.Tx{Function: f, Args: args}
	outcome := s.record(w, tx.Calldata())
	return s.verdict(t, &outcome, w)
}

// prepare makes the calls that beforeTestSetup names for a test.
func (s *Suite) prepare(w *evm.World, f *input.Function) error {
	before := s.Program.ABI(s.Program.UnderTest).Method("beforeTestSetup(bytes4)")
	if before == nil {
		return nil
	}
	asked := s.call(w.Fork(), append(signatureData(before.Signature), append(f.Selector[:], make([]byte, 28)...)...))
	values, err := input.Decode(before.Outputs, asked.Return)
	if asked.Status != evm.Success || err != nil || len(values) != 1 {
		return nil
	}
	for _, data := range values[0].Elems {
		if o := s.call(w, data.Data); o.Status != evm.Success {
			return fmt.Errorf("a call of beforeTestSetup failed: %s", s.Reason(&o))
		}
	}
	return nil
}

// Rows returns the arguments of a table test, row by row: the values of the
// fixtures of its parameters.
func (s *Suite) Rows(t solc.Test) ([][]input.Value, error) {
	f := s.Function(t)
	if f == nil || len(f.Inputs) == 0 {
		return nil, fmt.Errorf("%s has no parameters", t.Name)
	}
	var rows [][]input.Value
	fixtures := s.Fixtures()
	for i, p := range f.Inputs {
		values, known := fixtures[fixtureName(p.Name)]
		switch {
		case !known:
			return nil, fmt.Errorf("parameter %s has no fixture; add a function or public array fixture%s that returns its values", p.Name, upperFirst(p.Name))
		case len(values) == 0:
			return nil, fmt.Errorf("the fixture of parameter %s has no values", p.Name)
		case i == 0:
			rows = make([][]input.Value, len(values))
		case len(values) != len(rows):
			return nil, fmt.Errorf("fixtures of one test have %d and %d values; give all the same number", len(rows), len(values))
		}
		for n := range rows {
			rows[n] = append(rows[n], values[n])
		}
	}
	return rows, nil
}

// Table runs a table test on each of its rows until one fails.
func (s *Suite) Table(ctx context.Context, t solc.Test) Verdict {
	if s.fault != nil {
		return s.Run(ctx, t)
	}
	rows, err := s.Rows(t)
	if err != nil {
		return Verdict{Test: t, Status: Failed, Reason: err.Error()}
	}
	var v Verdict
	for _, row := range rows {
		if v = s.Run(ctx, t, row...); v.Status == Failed || v.Status == Skipped {
			break
		}
	}
	if v.Status == Rejected {
		v.Status = Passed
	}
	return v
}
