package suite

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// A Target is a contract that the transactions of an invariant test call.
type Target struct {
	Address   common.Address
	Contract  *solc.Contract // as its code says, or the interface that the test names
	Functions []*input.Function
}

// Targets returns what invariant tests call, as targetContracts() and its
// relatives say (crates/evm/evm/src/executors/invariant/mod.rs in foundry): by
// default every contract that the set-up created, less the test contract. The
// error is a sentence for the user.
func (s *Suite) Targets() ([]Target, error) {
	t := targeting{suite: s, own: s.Address}
	if err := t.targetArtifacts(); err != nil {
		return nil, err
	}
	t.targetContracts()
	t.targetInterfaces()
	if err := t.targetSelectors(); err != nil {
		return nil, err
	}
	var list []Target
	for _, c := range t.chosen {
		if c.Functions = c.called(); len(c.Functions) > 0 {
			list = append(list, c.Target)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no contracts to fuzz: setUp of %s creates none with functions that change state", s.Program.UnderTest.Name)
	}
	return list, nil
}

// CreatedTargets returns a function that chooses what is called of a contract that
// a call of an invariant test creates; nil: nothing is, as targetContracts names
// all targets (collect_created_contracts in crates/evm/fuzz/src/invariant/mod.rs
// in foundry).
func (s *Suite) CreatedTargets() func(*solc.Contract) []*input.Function {
	t := targeting{suite: s, own: s.Address}
	if len(s.addresses("targetContracts()")) > 0 || t.targetArtifacts() != nil {
		return nil
	}
	return func(c *solc.Contract) (list []*input.Function) {
		selectors, targeted := t.targeted[c]
		if len(selectors) == 0 && (t.excluded[c] || !targeted && len(t.targeted) > 0) || c.Kind == solc.KindLibrary {
			return nil
		}
		if len(selectors) == 0 {
			return changing(s.Program.ABI(c))
		}
		for _, f := range s.Program.ABI(c).Functions {
			if slices.Contains(selectors, f.Selector) {
				list = append(list, f)
			}
		}
		return list
	}
}

// A targeting resolves the targets of a test contract.
type targeting struct {
	suite    *Suite
	own      common.Address
	chosen   []*chosen
	targeted map[*solc.Contract][][4]byte // by targetArtifacts; without selectors, all functions
	excluded map[*solc.Contract]bool      // by excludeArtifacts
}

// A chosen contract has the selectors that the test names.
type chosen struct {
	Target
	abi      []*input.ABI
	wanted   []*input.Function
	unwanted []*input.Function
}

// called returns the functions that transactions call: the wanted ones, or all
// that may change state and are not unwanted.
func (c *chosen) called() (list []*input.Function) {
	if len(c.wanted) > 0 {
		return c.wanted
	}
	for _, abi := range c.abi {
		list = append(list, changing(abi)...)
	}
	return slices.DeleteFunc(list, func(f *input.Function) bool { return slices.Contains(c.unwanted, f) })
}

// changing lists the functions that may change state.
func changing(abi *input.ABI) []*input.Function {
	return slices.DeleteFunc(slices.Clone(abi.Functions), (*input.Function).Constant)
}

func (t *targeting) find(artifact string) *solc.Contract {
	return t.suite.Program.Find(func(c *solc.Contract) bool { return c.IsNamed(artifact) })
}

// artifact finds the contract that a function of the test names, with these
// selectors.
func (t *targeting) artifact(from string, name []byte, selectors [][4]byte) (*solc.Contract, error) {
	c := t.find(string(name))
	if c == nil {
		return nil, fmt.Errorf("%s names %q, which is no contract of the project; write the name of a contract, or its file, a colon and its name", from, name)
	}
	for _, selector := range selectors {
		if !slices.ContainsFunc(t.suite.Program.ABI(c).Functions, func(f *input.Function) bool { return f.Selector == selector }) {
			return nil, noSelector(c, selector)
		}
	}
	return c, nil
}

func noSelector(c *solc.Contract, selector [4]byte) error {
	return fmt.Errorf("%s has no function with the selector 0x%x, which the test names", c.Name, selector)
}

// targetArtifacts reads what is targeted and excluded by name. Selectors come
// before excludeArtifacts, and this before targetArtifacts.
func (t *targeting) targetArtifacts() error {
	t.targeted, t.excluded = map[*solc.Contract][][4]byte{}, map[*solc.Contract]bool{}
	for _, v := range t.suite.list("targetArtifactSelectors()", "((string,bytes4[])[])") {
		selectors := selectorsIn(&v.Elems[1])
		c, err := t.artifact("targetArtifactSelectors", v.Elems[0].Data, selectors)
		if err != nil {
			return err
		}
		t.targeted[c] = append(t.targeted[c], selectors...)
	}
	for _, v := range t.suite.list("excludeArtifacts()", "(string[])") {
		c, err := t.artifact("excludeArtifacts", v.Data, nil)
		if err != nil {
			return err
		}
		t.excluded[c] = true
	}
	for _, v := range t.suite.list("targetArtifacts()", "(string[])") {
		c, err := t.artifact("targetArtifacts", v.Data, nil)
		if err != nil {
			return err
		}
		if _, known := t.targeted[c]; !known && !t.excluded[c] {
			t.targeted[c] = nil
		}
	}
	return nil
}

// matches reports whether the artifacts that the test names allow a contract.
func (t *targeting) matches(c *solc.Contract) bool {
	if t.excluded[c] || len(changing(t.suite.Program.ABI(c))) == 0 {
		return false
	}
	_, targeted := t.targeted[c]
	return targeted || len(t.targeted) == 0
}

func (t *targeting) targetContracts() {
	wanted, unwanted := t.suite.addresses("targetContracts()"), t.suite.addresses("excludeContracts()")
	for _, a := range t.suite.accounts() {
		c := t.contractAt(a)
		switch {
		case c == nil, c.Kind == solc.KindLibrary:
		case a == t.own && slices.Contains(wanted, a):
			t.choose(a, c)
		case a == t.own, len(wanted) > 0 && !slices.Contains(wanted, a), slices.Contains(unwanted, a), !t.matches(c):
		default:
			t.choose(a, c)
		}
	}
}

func (t *targeting) contractAt(a common.Address) *solc.Contract {
	return t.suite.Program.ContractAt(t.suite.world, a)
}

func (t *targeting) choose(a common.Address, c *solc.Contract) *chosen {
	new := &chosen{Target: Target{Address: a, Contract: c}, abi: []*input.ABI{t.suite.Program.ABI(c)}}
	t.chosen = append(t.chosen, new)
	return new
}

func (t *targeting) at(a common.Address) *chosen {
	i := slices.IndexFunc(t.chosen, func(c *chosen) bool { return c.Address == a })
	if i < 0 {
		return nil
	}
	return t.chosen[i]
}

// targetInterfaces has addresses called by the interfaces that the test names.
func (t *targeting) targetInterfaces() {
	fresh := map[common.Address]*chosen{}
	for _, v := range t.suite.list("targetInterfaces()", "((address,string[])[])") {
		a := v.Elems[0].Address()
		for _, artifact := range v.Elems[1].Elems {
			c := t.find(string(artifact.Data))
			switch {
			case c == nil:
			case fresh[a] != nil:
				fresh[a].abi = append(fresh[a].abi, t.suite.Program.ABI(c))
			default:
				t.chosen = slices.DeleteFunc(t.chosen, func(c *chosen) bool { return c.Address == a })
				fresh[a] = t.choose(a, c)
			}
		}
	}
}

func (t *targeting) targetSelectors() error {
	for _, a := range t.suite.accounts() {
		if selectors := t.targeted[t.contractAt(a)]; len(selectors) > 0 {
			if err := t.add(a, selectors, false); err != nil {
				return err
			}
		}
	}
	var own, notOwn [][4]byte
	for _, row := range []struct {
		signature string
		exclude   bool
		own       *[][4]byte
	}{{"targetSelectors()", false, &own}, {"excludeSelectors()", true, &notOwn}} {
		for _, v := range t.suite.list(row.signature, "((address,bytes4[])[])") {
			a, selectors := v.Elems[0].Address(), selectorsIn(&v.Elems[1])
			if a == t.own {
				*row.own = selectors
			}
			if err := t.add(a, selectors, row.exclude); err != nil {
				return err
			}
		}
	}
	if c := t.at(t.own); c != nil && len(own) == 0 {
		for _, f := range changing(c.abi[0]) {
			if solc.FunctionTestKind(f.Name, len(f.Inputs) > 0) == solc.OrdinaryFunction && !slices.Contains(notOwn, f.Selector) {
				c.wanted = append(c.wanted, f)
			}
		}
	}
	return nil
}

// add has functions of a contract called, or not called.
func (t *targeting) add(a common.Address, selectors [][4]byte, exclude bool) error {
	if len(selectors) == 0 {
		return nil
	}
	c := t.at(a)
	if c == nil {
		of := t.contractAt(a)
		if of == nil {
			return fmt.Errorf("targetSelectors names %s, which is no contract of the project", a)
		}
		c = t.choose(a, of)
	}
	for _, selector := range selectors {
		f := c.bySelector(selector)
		switch {
		case f == nil:
			return noSelector(c.Contract, selector)
		case exclude:
			c.unwanted = append(c.unwanted, f)
		default:
			c.wanted = append(c.wanted, f)
		}
	}
	return nil
}

func (c *chosen) bySelector(selector [4]byte) *input.Function {
	for _, abi := range c.abi {
		for _, f := range abi.Functions {
			if f.Selector == selector {
				return f
			}
		}
	}
	return nil
}

// Senders returns who sends the transactions of invariant tests: targetSenders,
// or others than excludeSenders.
func (s *Suite) Senders() []input.Actor {
	unwanted := s.addresses("excludeSenders()")
	var list []input.Actor
	for _, a := range s.addresses("targetSenders()") {
		if !slices.Contains(unwanted, a) && !slices.Contains(list, input.Actor(a)) {
			list = append(list, input.Actor(a))
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, a := range append([]input.Actor{input.Actor(s.Sender())}, input.Actors[:]...) {
		if !slices.Contains(unwanted, a.Address()) && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

// accounts lists the accounts with code after setUp, in ascending order.
func (s *Suite) accounts() (list []common.Address) {
	for _, d := range s.world.Diff(evm.NewWorld(s.Program.Codes)) {
		if s.world.Code(d.Address) != nil {
			list = append(list, d.Address)
		}
	}
	return list
}

// A Created is a contract that no other contract created.
type Created struct {
	Address common.Address
	Args    []input.Value // of its constructor
}

// Created lists the contracts that no other contract created.
func (s *Suite) Created() []Created {
	if s.made == nil {
		return []Created{{Address: s.Address}}
	}
	return s.made
}

// Deployed lists the contracts of the project after setUp, those first that no other
// contract created.
func (s *Suite) Deployed() (list []Target) {
	first := s.Created()
	list = []Target{{Address: s.Address, Contract: s.Program.UnderTest}}
	for _, a := range s.accounts() {
		if c := s.Program.ContractAt(s.world, a); c != nil && a != s.Address {
			list = append(list, Target{Address: a, Contract: c})
		}
	}
	at := func(t Target) int {
		if i := slices.IndexFunc(first, func(c Created) bool { return c.Address == t.Address }); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(list, func(a, b Target) int { return cmp.Compare(at(a), at(b)) })
	return list
}

// list calls a function of the test contract that returns a list; none if it has
// no such function, or if it fails.
func (s *Suite) list(signature, results string) []input.Value {
	if s.Program.ABI(s.Program.UnderTest).Method(signature) == nil {
		return nil
	}
	o := s.ask(s.world, signatureData(signature))
	t, err := input.ParseType(results)
	if err != nil || o.Status != evm.Success {
		return nil
	}
	values, err := input.Decode(t.Fields, o.Return)
	if err != nil {
		return nil
	}
	return values[0].Elems
}

func (s *Suite) addresses(signature string) (list []common.Address) {
	for _, v := range s.list(signature, "(address[])") {
		list = append(list, v.Address())
	}
	return list
}

func selectorsIn(v *input.Value) (list [][4]byte) {
	for i := range v.Elems {
		word := v.Elems[i].Word.Bytes32()
		list = append(list, [4]byte(word[:]))
	}
	return list
}
