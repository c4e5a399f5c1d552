package deploy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
)

// mock returns the address of the mock for a parameter, and deploys it if needed.
// Parameters of different names get different mocks, as do elements of lists, by their
// index: tokens that are exchanged must differ.
func (l *ledger) mock(s *mock.Contract, parameter string, index int) (common.Address, error) {
	key := s.Name + " " + strings.ToLower(strings.Trim(parameter, "_"))
	if index > 0 {
		key += fmt.Sprintf(" %d", index)
	}
	if address, ok := l.mocks[key]; ok {
		return address, nil
	}
	args, err := l.mockArguments(s, index)
	if err != nil {
		return common.Address{}, err
	}
	return l.deployAs(key, s, args)
}

// deployAs deploys a mock that is found by a key from now on.
func (l *ledger) deployAs(key string, s *mock.Contract, args []input.Value) (common.Address, error) {
	address, err := l.deployMock(s, l.made.unique(s.Name, "_"), args)
	if err == nil {
		l.mocks[key] = address
	}
	return address, err
}

// mockArguments returns the arguments for the constructor of a mock.
func (l *ledger) mockArguments(s *mock.Contract, index int) ([]input.Value, error) {
	args := s.ABI.Constructor.Zero()
	switch {
	case s.Asset:
		asset, err := l.mock(mock.All()[0], "asset", index)
		args[0].Word.SetBytes20(asset[:])
		return args, err
	case s.Each > 0:
		args[0], args[1].Word = holders(args[0]), *new(uint256.Int).Mul(uint256.NewInt(s.Each), uint256.NewInt(s.Units))
	}
	return args, nil
}

// errMock means that a mock cannot be deployed.
func errMock(s *mock.Contract) error { return fmt.Errorf("the mock %s cannot be deployed", s.Name) }

// deployMock deploys a mock under a name.
func (l *ledger) deployMock(s *mock.Contract, name string, args []input.Value) (common.Address, error) {
	tx := input.Tx{From: input.Deployer, Function: s.ABI.Constructor, Args: args}
	l.program.Codes.AddInit(s.Code)
	address, outcome := l.chain.construct(s.Code, &tx)
	if outcome.Status != evm.Success {
		return address, errMock(s)
	}
	l.addMock(s, input.Creation{Name: name, Address: address, Args: args})
	return address, nil
}

// addMock records a mock.
func (l *ledger) addMock(s *mock.Contract, creation input.Creation) {
	if creation.Name != s.Name {
		creation.Contract = s.Name
	}
	l.made.Record.Creations = append(l.made.Record.Creations, creation)
	contract := &solc.Contract{Name: s.Name, Kind: solc.KindContract, Methods: s.Methods}
	l.program.AddABI(contract, s.ABI)
	l.made.Contracts = append(l.made.Contracts, Deployed{Contract: contract, Address: creation.Address, Mock: s, remote: l.reserved.isWired()})
}

// placeMock puts a mock at an address, as if it was created there.
func (l *ledger) placeMock(s *mock.Contract, name string, args []input.Value, at common.Address) error {
	before := l.made.World
	tx := input.Tx{From: input.Deployer, Function: s.ABI.Constructor, Args: args}
	l.program.Codes.AddInit(s.Code)
	created, outcome := l.chain.construct(s.Code, &tx)
	if outcome.Status != evm.Success {
		return errMock(s)
	}
	world := before.Fork()
	world.SetCode(at, l.made.World.Code(created).Bytes)
	for _, account := range l.made.World.Diff(before) {
		for _, word := range account.Storage {
			if account.Address == created {
				world.SetStorage(at, word.Key, word.After)
			}
		}
	}
	l.chain.reset(world)
	l.addMock(s, input.Creation{Name: name, Address: at, Args: args, Named: true})
	return nil
}

// tellAnswer tells a mock what a function returns.
func (l *ledger) tellAnswer(address common.Address, f *input.Function, values []input.Value) {
	answer := l.program.ABI(l.made.at(address).Contract).Method(mock.AnswerSignature)
	tx := input.Tx{From: input.Deployer, To: address, Function: answer, Args: answer.Zero()}
	tx.Args[0].Word.SetBytes(f.Selector[:])
	tx.Args[0].Word.Lsh(&tx.Args[0].Word, 256-32)
	tx.Args[1].Data = input.AppendValues(nil, values)
	if l.chain.call(&tx).Status == evm.Success {
		l.recordSetup(&tx)
	}
}

// repeatMock deploys a mock as in an earlier deployment.
func (l *ledger) repeatMock(was *input.Creation) error {
	for _, s := range mock.All() {
		if was.Class() != s.Name || !accepts(s.ABI.Constructor, was.Args) {
			continue
		}
		if was.Named {
			return l.placeMock(s, was.Name, was.Args, was.Address)
		}
		address, err := l.deployMock(s, was.Name, was.Args)
		if err == nil && address != was.Address {
			err = errMoved(was)
		}
		return err
	}
	return fmt.Errorf("the mock %s, which this needs, is not part of this version of Leveret", was.Name)
}

// holders returns a list of all actors.
func holders(list input.Value) input.Value {
	list.Elems = nil
	for _, actor := range input.Actors {
		v, address := input.Zero(list.Type.Elem), actor.Address()
		v.Word.SetBytes20(address[:])
		list.Elems = append(list.Elems, v)
	}
	return list
}

// deployMocks deploys the mocks that functions of the contract under test take
// as arguments and that no contract of the project can be.
func deployMocks(k *catalog, l *ledger) error {
	for _, f := range k.program.ABI(k.program.UnderTest).Functions {
		for _, field := range f.Inputs {
			if program.IsContractType(field.InternalType) && len(k.implementers(k.program.UnderTest, field.InternalType)) == 0 {
				if err := l.takeMock(k, field, 1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// deployTokens deploys the mocks that functions of the contract under test take for a
// transaction, by type or by what they do with an address, where no contract of the finished
// deployment would do: two where a function takes several, as tokens that are exchanged must
// differ. Functions of addresses alone that keep them are for those who wire the contracts.
func deployTokens(k *catalog, l *ledger) error {
	under := k.program.UnderTest
	wirings := slices.DeleteFunc(k.program.Setters(under), func(f *input.Function) bool {
		return slices.ContainsFunc(f.Inputs, func(field input.Field) bool { return field.Type.Kind != input.KindAddress })
	})
	for _, f := range k.program.ABI(under).Functions {
		if f.Constant() || slices.ContainsFunc(wirings, func(w *input.Function) bool { return w.Signature == f.Signature }) {
			continue
		}
		taken := map[*solc.Contract]int{}
		for _, field := range contractsIn(k.program.Typed(under, f).Inputs) {
			wanted := k.byType(under, field.InternalType)
			taken[wanted] = min(taken[wanted]+1, 2)
			if l.count(wanted) >= taken[wanted] {
				continue
			}
			if err := l.takeMock(k, field, taken[wanted]); err != nil {
				return err
			}
		}
	}
	return nil
}

// contractsIn lists the contracts among parameters: in structs, too, and two for a list.
func contractsIn(fields []input.Field) (list []input.Field) {
	for _, field := range fields {
		t, times := field.Type, 1
		for t.Kind == input.KindSlice || t.Kind == input.KindArray {
			t, times = t.Elem, 2
		}
		if t.Kind == input.KindTuple {
			list = append(list, contractsIn(t.Fields)...)
		} else if program.IsContractType(field.InternalType) {
			field.InternalType, _, _ = strings.Cut(field.InternalType, "[")
			list = append(list, slices.Repeat([]input.Field{field}, times)...)
		}
	}
	return list
}

// count returns how many contracts of the deployment have the functions of another one,
// without tokens that nobody can have.
func (l *ledger) count(wanted *solc.Contract) (n int) {
	if wanted == nil {
		return 0
	}
	for _, c := range l.made.Contracts {
		if hasAll(c.Contract, wanted.Methods) && !isEmptyToken(l.program, l.chain, c.Address) {
			n++
		}
	}
	return n
}

// takeMock deploys the mock for a parameter, unless there is none or as many of it are there.
func (l *ledger) takeMock(k *catalog, field input.Field, wanted int) error {
	s, there := k.mockFor(k.program.UnderTest, field), 0
	for _, c := range l.made.Contracts {
		if c.Mock == s {
			there++
		}
	}
	if s == nil || there >= wanted {
		return nil
	}
	_, err := l.mock(s, field.Name, there)
	return err
}
