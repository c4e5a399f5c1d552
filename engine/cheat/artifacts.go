package cheat

import (
	"errors"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

var bytes4Type = &input.Type{Kind: input.KindFixedBytes, Size: 4}

var artifactRows = slices.Concat(deployRows(), []row{
	{"getCode(string)", "(bytes)", func(c *call) error { return c.giveCode(false) }, "returns the creation code of a contract"},
	{"getDeployedCode(string)", "(bytes)", func(c *call) error { return c.giveCode(true) }, "returns the deployed code of a contract"},
	{"getSelectors(string)", "(bytes4[])", (*call).getSelectors, "returns the selectors of a contract's functions"},
	{"getArtifactPathByCode(bytes)", "(string)", func(c *call) error { return c.artifactPath(false) }, "returns the path of the artifact with a creation code"},
	{"getArtifactPathByDeployedCode(bytes)", "(string)", func(c *call) error { return c.artifactPath(true) }, "returns the path of the artifact with a deployed code"},
}, deploymentRows)

// deployRows are the forms of vm.deployCode.
func deployRows() (list []row) {
	for _, args := range []string{"", ",bytes"} {
		for _, value := range []string{"", ",uint256"} {
			for _, salt := range []string{"", ",bytes32"} {
				list = append(list, row{"deployCode(string" + args + value + salt + ")", "(address)", (*call).deployCode, "deploys a contract, with arguments of its constructor, wei and a salt if they are given"})
			}
		}
	}
	return list
}

// artifactCode returns the code of a contract that can be run.
func (c *call) artifactCode(deployed bool) ([]byte, error) {
	h, err := c.host()
	if err != nil {
		return nil, err
	}
	a, err := h.Artifact(c.text(0))
	if err != nil {
		return nil, err
	}
	code := a.Creation
	if deployed {
		code = a.Deployed
	}
	if code == nil {
		return nil, errors.New("no bytecode for contract; is it abstract or unlinked?")
	}
	return code, nil
}

func (c *call) giveCode(deployed bool) error {
	code, err := c.artifactCode(deployed)
	return c.giveOne(bytesValue(code), err)
}

func (c *call) getSelectors() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	a, err := h.Artifact(c.text(0))
	if err != nil {
		return err
	}
	list := listValue(bytes4Type, make([]input.Value, len(a.Selectors)))
	for i, s := range a.Selectors {
		list.Elems[i] = input.Value{Type: bytes4Type, Word: leftWord(s[:])}
	}
	return c.give(list)
}

func (c *call) artifactPath(deployed bool) error {
	h, err := c.host()
	if err != nil {
		return err
	}
	a, err := h.ArtifactOf(c.data(0), deployed)
	if err != nil {
		return err
	}
	return c.give(textValue(a.Path))
}

// create creates a contract as the caller's own instructions would: pranks,
// expectations and recordings see it.
func (c *call) create(m *evm.Message) evm.Ending {
	var inspector evm.Inspector = c.Cheats // the table of cheatcodes may not refer to itself
	if end := inspector.Before(c.frame, m); end != nil {
		inspector.After(c.frame, m, end)
		return *end
	}
	end := c.state.Send(c.frame, m)
	if end.Err != evm.ErrRestart {
		inspector.After(c.frame, m, &end)
	}
	return end
}

// deployCode creates a contract.
func (c *call) deployCode() error {
	code, err := c.artifactCode(false)
	if err != nil {
		return err
	}
	m := &evm.Message{Kind: evm.FrameCreate, From: c.frame.Self, Gas: c.message.Gas, Static: c.message.Static}
	for i := range c.args[1:] {
		switch arg := &c.args[i+1]; arg.Type.Kind {
		case input.KindBytes:
			code = slices.Concat(code, arg.Data)
		case input.KindUint:
			m.Value = arg.Word
		default:
			m.Kind, m.Salt = evm.FrameCreate2, new(uint256.Int).Set(&arg.Word)
		}
	}
	m.Input = code
	end := c.create(m)
	switch {
	case end.Err == evm.ErrRestart:
		return end.Err
	case end.Err == evm.ErrReverted:
		return revert(slices.Clone(end.Output))
	case end.Err != nil:
		return errors.New("contract creation failed: " + end.Err.Error())
	}
	return c.give(addressValue(end.Created))
}
