package dap

import (
	"github.com/google/go-dap"

	"leveret/engine/debug"
)

// setVariable sets a variable of a group to the value of an expression.
func (c *control) setVariable(a *dap.SetVariableArguments) (any, error) {
	v, err := c.view.member(a.VariablesReference, a.Name, 0)
	if err != nil {
		return nil, err
	}
	if err := c.set(v, a.Value, c.view.groups[a.VariablesReference].frame); err != nil {
		return nil, err
	}
	if v, err = c.view.member(a.VariablesReference, a.Name, 0); err != nil {
		return nil, err
	}
	return dap.SetVariableResponseBody{Value: v.Value, Type: v.Type}, nil
}

// setExpression sets what an expression names.
func (c *control) setExpression(a *dap.SetExpressionArguments) (any, error) {
	v, err := c.assign(a.Expression, a.Value, a.FrameId)
	if err != nil {
		return nil, err
	}
	return dap.SetExpressionResponseBody{Value: v.Value, Type: v.Type}, nil
}

// assign sets what an expression names in a frame, and returns it with its new value.
func (c *control) assign(expression, value string, frame int) (v debug.Variable, err error) {
	v, index, err := c.view.evaluated(expression, frame)
	if err != nil {
		return v, err
	}
	if err := c.set(&v, value, index); err != nil {
		return v, err
	}
	return c.Evaluate(expression, index)
}

// set sets a variable to the value of an expression in a frame. What the client was told
// of frames and groups remains valid.
func (c *control) set(v *debug.Variable, value string, frame int) error {
	first := !c.Changed()
	if err := c.Set(v, value, frame); err != nil {
		return err
	}
	text := v.Name + " is set: the transactions went on in another way from here.\n"
	if first {
		text = v.Name + " is set: the transactions went on in another way from here. The recording stays; go back before this place to return to it.\n"
	}
	c.client.then(func() {
		c.client.say("console", text)
		if c.client.invalidates {
			c.client.notify("invalidated", dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"all"}})
		}
	})
	return c.relocate()
}

// rejoin returns to the recording after a move to before the values that were set.
func (c *control) rejoin() error {
	if !c.Rejoin() {
		return nil
	}
	text := "Back before a value was set: the recording goes on.\n"
	if c.Changed() {
		text = "Back before a value was set; those that were set before are still.\n"
	}
	c.client.then(func() { c.client.say("console", text) })
	return c.relocate()
}

// restoreTarget is the target of "goto" that drops all changes. Others are positions.
const restoreTarget = 1 << 32

// restore drops all changes.
func (c *control) restore() error {
	c.Restore()
	return c.relocate()
}

// relocate follows to a Recording that replaces another one.
func (c *control) relocate() error {
	c.view.stack = nil
	return c.breakpoints.relocate()
}

// evaluate returns the value of an expression. Where a user writes commands, "name =
// value" sets a variable.
func (c *control) evaluate(a *dap.EvaluateArguments) (any, error) {
	if a.Context == "repl" || a.Context == "" {
		if name, value, ok := debug.SplitAssignment(a.Expression); ok {
			set, err := c.assign(name, value, a.FrameId)
			return dap.EvaluateResponseBody{Result: set.Value, Type: set.Type}, err
		}
	}
	v, index, err := c.view.evaluated(a.Expression, a.FrameId)
	if err != nil {
		return nil, err
	}
	return dap.EvaluateResponseBody{Result: v.Value, Type: v.Type, VariablesReference: c.view.parts(&v, a.Expression, index)}, nil
}
