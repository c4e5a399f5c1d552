package deploy

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
)

// The code of many contracts has addresses of others on the main chain: a token, a pool,
// a registry of a protocol. Where there is no such chain, mocks take their places. They
// implement a standard, or answer by the interfaces that the code calls there.

// maxNamed bounds the contracts of which code has the address.
const maxNamed = 16

// placeNamed puts mocks where the code of the contract under test expects contracts,
// besides a fork.
func (d *deployer) placeNamed(ctx context.Context) error {
	if d.made.Record.Fork != nil || suiteOf(d.program.ABI(d.program.UnderTest)) != noSuite {
		return nil
	}
	placed := 0
	for _, named := range program.NamedContracts(d.program.UnderTest) {
		code := d.made.World.Code(named.Address)
		if _, actor := input.ActorOf(named.Address); actor || placed == maxNamed || code != nil && len(code.Bytes) > 0 || isPrecompile(named.Address) {
			continue
		}
		placed++
		if err := d.placeNamedAt(ctx, &named); err != nil {
			return err
		}
	}
	return nil
}

// isPrecompile reports whether an address is one of those that chains keep for
// precompiled contracts.
func isPrecompile(a common.Address) bool { return [18]byte(a[:18]) == [18]byte{} }

func (d *deployer) placeNamedAt(ctx context.Context, named *program.NamedContract) error {
	var types []*solc.Contract
	standard := mock.Answers()
	for _, internal := range named.Types {
		if t := byType(d.program, d.program.UnderTest, internal); t != nil && len(t.Methods) > 0 {
			types, standard = append(types, t), d.standard(t)
		}
	}
	if len(types) != 1 || standard == nil {
		standard = mock.Answers()
	}
	args, err := d.mockArguments(standard)
	if err != nil {
		return err
	}
	if err := d.placeMock(standard, d.unique(standard.Name, "_"), args, named.Address); err != nil || standard != mock.Answers() {
		return err
	}
	told := map[*solc.Contract]bool{}
	for _, t := range types {
		if err := d.tellNamed(ctx, named.Address, t, told); err != nil {
			return err
		}
	}
	return nil
}

// placeMock puts a mock at an address, as if it was created there.
func (d *deployer) placeMock(s *mock.Contract, name string, args []input.Value, at common.Address) error {
	before := d.made.World
	tx := input.Tx{From: input.Deployer, Function: s.ABI.Constructor, Args: args}
	d.program.Codes.AddInit(s.Code)
	created, outcome := d.chain.construct(s.Code, &tx)
	if outcome.Status != evm.Success {
		return errMock(s)
	}
	world := before.Fork()
	world.SetCode(at, d.made.World.Code(created).Bytes)
	for _, account := range d.made.World.Diff(before) {
		for _, word := range account.Storage {
			if account.Address == created {
				world.SetStorage(at, word.Key, word.After)
			}
		}
	}
	d.made.World = world
	d.addMock(s, input.Creation{Name: name, Address: at, Args: args, Named: true})
	return nil
}

// Asking returns hooks that report the contracts that calls run, besides the outermost one,
// or whose code they look at.
func Asking(asked func(common.Address)) evm.Hooks {
	return evm.Hooks{
		Ops:  []byte{bytecode.EXTCODESIZE, bytecode.EXTCODEHASH, bytecode.EXTCODECOPY},
		Step: func(s *evm.Step) { asked(s.Top(0).Bytes20()) },
		Enter: func(f *evm.Frame) {
			if f.Depth > 1 {
				asked(f.To)
			}
		},
	}
}

// RecordFor returns the record of the deployment without the mocks at named addresses that
// neither its own calls nor others ask. It is replayed as it is: no other contract gets
// another address without them.
func (s *Deployment) RecordFor(others map[common.Address]bool) *input.Deployment {
	idle := func(a common.Address) bool {
		c := s.Record.Find(a)
		return c != nil && c.Named && !s.asked[a] && !others[a]
	}
	if !slices.ContainsFunc(s.Record.Creations, func(c input.Creation) bool { return idle(c.Address) }) {
		return s.Record
	}
	record := *s.Record
	record.Creations = nil
	for _, c := range s.Record.Creations {
		if idle(c.Address) {
			continue
		}
		if slices.ContainsFunc(c.Setup, func(tx input.Tx) bool { return idle(tx.To) }) {
			c.Setup = slices.DeleteFunc(slices.Clone(c.Setup), func(tx input.Tx) bool { return idle(tx.To) })
		}
		record.Creations = append(record.Creations, c)
	}
	return &record
}

// maxToldTypes bounds the interfaces of which one mock gives the answers.
const maxToldTypes = 8

// tellNamed tells a mock at a named address what the functions of a contract return, and
// of those that they return: what nothing else is known of is the mock itself.
func (d *deployer) tellNamed(ctx context.Context, at common.Address, wanted *solc.Contract, told map[*solc.Contract]bool) error {
	if told[wanted] || len(told) == maxToldTypes {
		return nil
	}
	told[wanted] = true
	defer func(before *solc.Contract) { d.consumer = before }(d.consumer)
	d.consumer = wanted
	for _, f := range d.program.ABI(wanted).Functions {
		if !needsAnswer(f) {
			continue
		}
		values := make([]input.Value, len(f.Outputs))
		for i, field := range f.Outputs {
			var err error
			if values[i], err = d.namedAnswer(field, at); err != nil {
				return err
			}
		}
		d.tellAnswer(at, f, values)
		for _, field := range f.Outputs {
			if t := byType(d.program, wanted, field.InternalType); program.IsContractType(field.InternalType) && t != nil && d.standard(t) == nil {
				if err := d.tellNamed(ctx, at, t, told); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// namedAnswer returns a value that a mock at a named address returns.
func (d *deployer) namedAnswer(field input.Field, at common.Address) (v input.Value, err error) {
	v = input.Zero(field.Type)
	switch field.Type.Kind {
	case input.KindUint, input.KindInt, input.KindBool:
		v.Word = *uint256.NewInt(1)
	case input.KindAddress:
		if s := d.mockFor(field); s != nil {
			at, err = d.mock(s, field.Name)
		}
		v.Word.SetBytes20(at[:])
	case input.KindTuple, input.KindArray:
		for i := range v.Elems {
			member := elementOf(field)
			if field.Type.Kind == input.KindTuple {
				member = field.Type.Fields[i]
			}
			if v.Elems[i], err = d.namedAnswer(member, at); err != nil {
				return v, err
			}
		}
	}
	return v, err
}
