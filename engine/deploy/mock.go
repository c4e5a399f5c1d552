package deploy

import (
	"fmt"
	"maps"
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

// mockFor returns the mock for a parameter, by its contract type or its name;
// nil if none suits.
func (d *deployer) mockFor(field input.Field) *mock.Contract {
	if !program.IsContractType(field.InternalType) {
		return mock.Named(field.Name)
	}
	wanted := byType(d.program, d.consumer, field.InternalType)
	if wanted == nil {
		return nil
	}
	return d.standard(wanted)
}

// standard returns the mock with the functions of a contract; nil if there is none. It
// need not have getters that no code calls: many tokens have public constants.
func (d *deployer) standard(wanted *solc.Contract) *mock.Contract {
	if s := mock.For(wanted.Methods); s != nil {
		return s
	}
	called := maps.Clone(wanted.Methods)
	for _, f := range d.program.ABI(wanted).Functions {
		if f.Constant() && len(f.Inputs) == 0 && !program.Accesses(wanted.Build, f.Name) {
			delete(called, f.Signature)
		}
	}
	return mock.For(called)
}

// mock returns the address of the mock for a parameter, and deploys it if
// needed. Parameters of different names and elements of lists get different mocks:
// tokens that are exchanged must differ.
func (d *deployer) mock(s *mock.Contract, parameter string) (common.Address, error) {
	key := s.Name + " " + strings.ToLower(strings.Trim(parameter, "_"))
	if d.index > 0 {
		key += fmt.Sprintf(" %d", d.index)
	}
	if address, ok := d.mocks[key]; ok {
		return address, nil
	}
	args, err := d.mockArguments(s)
	if err != nil {
		return common.Address{}, err
	}
	address, err := d.deployMock(s, d.unique(s.Name, "_"), args)
	if err == nil {
		d.mocks[key] = address
	}
	return address, err
}

// mockArguments returns the arguments for the constructor of a mock.
func (d *deployer) mockArguments(s *mock.Contract) ([]input.Value, error) {
	args := s.ABI.Constructor.Zero()
	switch {
	case s.Asset:
		asset, err := d.mock(mock.All()[0], "asset")
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
func (d *deployer) deployMock(s *mock.Contract, name string, args []input.Value) (common.Address, error) {
	tx := input.Tx{From: input.Deployer, Function: s.ABI.Constructor, Args: args}
	d.program.Codes.AddInit(s.Code)
	address, outcome := d.chain.construct(s.Code, &tx)
	if outcome.Status != evm.Success {
		return address, errMock(s)
	}
	d.addMock(s, input.Creation{Name: name, Address: address, Args: args})
	return address, nil
}

// addMock records a mock.
func (d *deployer) addMock(s *mock.Contract, creation input.Creation) {
	if creation.Name != s.Name {
		creation.Contract = s.Name
	}
	d.made.Record.Creations = append(d.made.Record.Creations, creation)
	contract := &solc.Contract{Name: s.Name, Kind: solc.KindContract, Methods: s.Methods}
	d.program.AddABI(contract, s.ABI)
	d.made.Contracts = append(d.made.Contracts, Deployed{Contract: contract, Address: creation.Address, Mock: s, remote: d.isWired()})
}

// repeatMock deploys a mock as in an earlier deployment.
func (d *deployer) repeatMock(was *input.Creation) error {
	for _, s := range mock.All() {
		if was.Class() != s.Name || !accepts(s.ABI.Constructor, was.Args) {
			continue
		}
		if was.Named {
			return d.placeMock(s, was.Name, was.Args, was.Address)
		}
		address, err := d.deployMock(s, was.Name, was.Args)
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
// as arguments.
func (d *deployer) deployMocks() error {
	for _, f := range d.program.ABI(d.program.UnderTest).Functions {
		for _, field := range f.Inputs {
			if !program.IsContractType(field.InternalType) || len(implementers(d.program, d.consumer, field.InternalType)) > 0 {
				continue
			}
			s := d.mockFor(field)
			if s == nil || slices.ContainsFunc(d.made.Contracts, func(c Deployed) bool { return c.Mock == s }) {
				continue
			}
			if _, err := d.mock(s, field.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
