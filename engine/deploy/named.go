package deploy

import (
	"encoding/binary"
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

// maxNamed bounds the contracts of which the code of a deployment has the address.
const maxNamed = 16

// placeNamed puts mocks where the code of a contract expects contracts, besides a fork.
func placeNamed(k *catalog, l *ledger, c *solc.Contract) error {
	if l.made.Record.Fork != nil || suiteOf(k.program.ABI(k.program.UnderTest)) != noSuite {
		return nil
	}
	placed := 0
	for _, made := range l.made.Record.Creations {
		if made.Named {
			placed++
		}
	}
	for _, named := range program.NamedContracts(c) {
		code := l.made.World.Code(named.Address)
		if _, actor := input.ActorOf(named.Address); actor || placed >= maxNamed || code != nil && len(code.Bytes) > 0 || isPrecompile(named.Address) {
			continue
		}
		placed++
		m := namedMock{k, l, c, named.Address, map[*solc.Contract]bool{}}
		if err := m.place(named.Types); err != nil {
			return err
		}
	}
	return nil
}

// isPrecompile reports whether an address is that of a precompiled contract of Ethereum, to
// which rollups add one (RIP-7212). What they keep at others, contracts call as they call mocks.
func isPrecompile(a common.Address) bool {
	n := binary.BigEndian.Uint16(a[18:])
	return [18]byte(a[:18]) == [18]byte{} && (n <= 0x11 || n == 0x100)
}

// A namedMock takes the place of a contract at a named address.
type namedMock struct {
	catalog *catalog
	ledger  *ledger
	by      *solc.Contract // whose code has the address
	at      common.Address
	told    map[*solc.Contract]bool // contracts of which it gives the answers
}

// place puts the mock there, by the types with which code calls it.
func (m *namedMock) place(internal []string) error {
	var types []*solc.Contract
	standard := mock.Answers()
	for _, internal := range internal {
		if t := m.catalog.byType(m.by, internal); t != nil && len(t.Methods) > 0 {
			types, standard = append(types, t), m.catalog.standard(t)
		}
	}
	if len(types) != 1 || standard == nil {
		standard = mock.Answers()
	}
	args, err := m.ledger.mockArguments(standard, 0)
	if err != nil {
		return err
	}
	if err := m.ledger.placeMock(standard, m.ledger.made.unique(standard.Name, "_"), args, m.at); err != nil || standard != mock.Answers() {
		return err
	}
	for _, t := range types {
		if err := m.tell(t); err != nil {
			return err
		}
	}
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

// tell tells the mock what the functions of a contract return, and of those that they
// return: what nothing else is known of is the mock itself.
func (m *namedMock) tell(wanted *solc.Contract) error {
	if m.told[wanted] || len(m.told) == maxToldTypes {
		return nil
	}
	m.told[wanted] = true
	for _, f := range m.catalog.program.ABI(wanted).Functions {
		if !needsAnswer(f) {
			continue
		}
		values := make([]input.Value, len(f.Outputs))
		for i, field := range f.Outputs {
			var err error
			if values[i], err = m.answer(wanted, field); err != nil {
				return err
			}
		}
		m.ledger.tellAnswer(m.at, f, values)
		for _, field := range f.Outputs {
			if t := m.catalog.byType(wanted, field.InternalType); program.IsContractType(field.InternalType) && t != nil && m.catalog.standard(t) == nil {
				if err := m.tell(t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// answer returns a value that a function of a contract returns.
func (m *namedMock) answer(of *solc.Contract, field input.Field) (v input.Value, err error) {
	v = input.Zero(field.Type)
	switch field.Type.Kind {
	case input.KindUint, input.KindInt, input.KindBool:
		v.Word = *uint256.NewInt(1)
	case input.KindAddress:
		at := m.at
		if s := m.catalog.mockFor(of, field); s != nil {
			at, err = m.ledger.mock(s, field.Name, 0)
		}
		v.Word.SetBytes20(at[:])
	case input.KindTuple, input.KindArray, input.KindSlice:
		if field.Type.Kind == input.KindSlice {
			v.Elems = make([]input.Value, listLength(of.Build))
		}
		for i := range v.Elems {
			member := elementOf(field)
			if field.Type.Kind == input.KindTuple {
				member = field.Type.Fields[i]
			}
			if v.Elems[i], err = m.answer(of, member); err != nil {
				return v, err
			}
		}
	}
	return v, err
}
