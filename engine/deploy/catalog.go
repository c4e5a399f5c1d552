package deploy

import (
	"maps"
	"slices"
	"strings"

	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
)

// A catalog is what the project offers for parameters, by their types and names.
type catalog struct {
	program   *program.Program
	handovers map[*solc.Contract][]*input.Function // see wirings
	meanings  map[meaning][]*solc.Contract         // see collaborators
}

// A meaning is what an address that a contract takes is called there.
type meaning struct {
	consumer       *solc.Contract
	name, internal string
}

// byType returns the contract of an internal type "contract X", preferably from
// the file of the consumer or one that it imports; nil if there is none.
func (k *catalog) byType(consumer *solc.Contract, internal string) *solc.Contract {
	name := strings.TrimPrefix(internal, "contract ")
	found := k.best(func(c *solc.Contract) int {
		switch {
		case c.Name != name:
			return unsuitable
		case c.File == consumer.File:
			return 0
		case program.Imports(consumer, c.File):
			return 1
		}
		return 2
	})
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// implementers returns the deployable contracts that have every function of the
// internal type "contract X", X itself first.
func (k *catalog) implementers(consumer *solc.Contract, internal string) []*solc.Contract {
	wanted := k.byType(consumer, internal)
	if wanted == nil {
		return nil
	}
	return k.best(func(c *solc.Contract) int {
		switch {
		case c.Kind != solc.KindContract || c.Abstract || len(c.Creation.Object) == 0:
			return unsuitable
		case c == wanted:
			return 0
		case c == k.program.UnderTest || len(wanted.Methods) == 0 || !hasAll(c, wanted.Methods):
			return unsuitable
		}
		return 1
	})
}

func hasAll(c *solc.Contract, methods map[string]string) bool {
	for signature := range methods {
		if c.Methods[signature] == "" {
			return false
		}
	}
	return true
}

// implementationNames are names of parameters that take the implementation of a
// proxy.
var implementationNames = []string{"logic", "implementation", "impl", "singleton", "mastercopy", "template"}

// actorNames are names of parameters that take an actor, not a contract.
var actorNames = []string{"owner", "admin", "manager", "operator", "keeper", "minter", "wallet", "user", "account", "sender",
	"receiver", "recipient", "beneficiary", "guardian", "authority"}

// maxCandidates is how many contracts are tried for one parameter.
const maxCandidates = 8

// byName returns the contracts that the name of an address parameter may refer
// to, the likeliest first: an implementation for a proxy, a beacon, or a
// contract whose name ends with the parameter's. For a proxy, contracts that
// inherit from a contract of that name come first.
func (k *catalog) byName(parameter string) []*solc.Contract {
	name := plainName(parameter)
	if len(name) < 4 || slices.Contains(actorNames, name) {
		return nil
	}
	logic := slices.ContainsFunc(implementationNames, func(l string) bool { return strings.HasSuffix(name, l) })
	return k.best(func(c *solc.Contract) int {
		if c == k.program.UnderTest || !c.Deployable() || c.Kind != solc.KindContract || c.ServesTests() {
			return unsuitable
		}
		abi := k.program.ABI(c)
		bare := abi.Fallback == nil && len(abi.Functions) > 0
		switch own := strings.ToLower(c.Name); {
		case logic && len(abi.Constructor.Inputs) == 0 && descends(c, name):
			return 0
		case logic && bare && len(abi.Constructor.Inputs) == 0:
			return 1
		case logic:
			return unsuitable
		case strings.HasSuffix(name, "beacon"):
			if abi.Fallback == nil && c.Methods["implementation()"] != "" {
				return 0
			}
			return unsuitable
		case own == name:
			return 0
		case strings.HasSuffix(own, name):
			return 1
		}
		return unsuitable
	})
}

// collaborators returns the contracts of the project that an address which a
// consumer takes may stand for, the likeliest first: by type and name.
func (k *catalog) collaborators(consumer *solc.Contract, field input.Field) []*solc.Contract {
	key := meaning{consumer, field.Name, field.InternalType}
	list, known := k.meanings[key]
	if !known {
		list = k.suitable(consumer, field)
		k.meanings[key] = list
	}
	return list
}

// suitable does the search of collaborators.
func (k *catalog) suitable(consumer *solc.Contract, field input.Field) []*solc.Contract {
	name := plainName(field.Name)
	meant := func(own string) bool { return own == name }
	ends := func(own string) bool { return len(name) >= 4 && strings.HasSuffix(own, name) }
	var wanted *solc.Contract
	if program.IsContractType(field.InternalType) {
		wanted = k.byType(consumer, field.InternalType)
	} else if len(name) < 4 || slices.Contains(actorNames, name) {
		return nil
	}
	standard := wanted != nil && k.standard(wanted) != nil
	return k.best(func(c *solc.Contract) int {
		own := strings.ToLower(c.Name)
		switch {
		case c.Kind != solc.KindContract || c.Abstract || !c.Deployable() || c.ServesTests() || c.Inherited():
		case wanted == c:
			return 0
		case wanted != nil && (len(wanted.Methods) == 0 || !hasAll(c, wanted.Methods)):
		case meant(own) || wanted != nil && "i"+own == strings.ToLower(wanted.Name):
			return 0
		case ends(own):
			return 1
		case wanted != nil && !standard:
			return 2
		}
		return unsuitable
	})
}

// meant lists the likeliest contract for each address that a consumer takes.
func (k *catalog) meant(consumer *solc.Contract, fields []input.Field) (list []*solc.Contract) {
	for _, field := range fields {
		t := field.Type
		for t.Kind == input.KindArray || t.Kind == input.KindSlice {
			field, t = elementOf(field), t.Elem
		}
		switch t.Kind {
		case input.KindTuple:
			list = append(list, k.meant(consumer, t.Fields)...)
		case input.KindAddress:
			if found := k.collaborators(consumer, field); len(found) > 0 && !slices.Contains(list, found[0]) {
				list = append(list, found[0])
			}
		}
	}
	return list
}

// membersOf lists which of some contracts have constructors that need the
// registry or one another, c last.
func (k *catalog) membersOf(c, registry *solc.Contract, of []*solc.Contract) []*solc.Contract {
	members := []*solc.Contract{registry, c}
	for grown := true; grown; {
		grown = false
		for _, m := range of {
			needs := func(o *solc.Contract) bool { return slices.Contains(members, o) }
			if !needs(m) && !k.upgrades(m) && slices.ContainsFunc(k.meant(m, k.program.Constructor(m).Inputs), needs) {
				members, grown = append(members, m), true
			}
		}
	}
	return append(members[2:], c)
}

// mockFor returns the mock for a parameter, by its contract type or its name;
// nil if none suits.
func (k *catalog) mockFor(consumer *solc.Contract, field input.Field) *mock.Contract {
	if !program.IsContractType(field.InternalType) {
		return mock.Named(field.Name)
	}
	wanted := k.byType(consumer, field.InternalType)
	if wanted == nil {
		return nil
	}
	return k.standard(wanted)
}

// standard returns the mock with the functions of a contract; nil if there is none. It
// need not have getters that no code calls: many tokens have public constants.
func (k *catalog) standard(wanted *solc.Contract) *mock.Contract {
	if s := mock.For(wanted.Methods); s != nil {
		return s
	}
	called := maps.Clone(wanted.Methods)
	for _, f := range k.program.ABI(wanted).Functions {
		if f.Constant() && len(f.Inputs) == 0 && !program.Accesses(wanted.Build, f.Name) {
			delete(called, f.Signature)
		}
	}
	return mock.For(called)
}

// wirings lists the functions of c that may hand contracts over to it.
func (k *catalog) wirings(c *solc.Contract) (list []*input.Function) {
	if known, ok := k.handovers[c]; ok {
		return known
	}
	defer func() { k.handovers[c] = list }()
	done, setters := initializersOf(k.program, c).guarded, k.program.Setters(c)
	for _, f := range k.program.ABI(c).Functions {
		if !f.Constant() && f.Mutability != input.Payable && !slices.Contains(done, f) && !decides(f) && takesAddress(f.Inputs) {
			if i := slices.IndexFunc(setters, func(s *input.Function) bool { return s.Signature == f.Signature }); i >= 0 {
				f = setters[i]
			}
			list = append(list, k.program.Typed(c, f))
		}
	}
	return list
}

// upgrades reports whether c has initializers and may get a proxy, at another
// address.
func (k *catalog) upgrades(c *solc.Contract) bool {
	u := initializersOf(k.program, c)
	return len(u.any()) > 0
}

// unsuitable is the rank of a contract that cannot be used.
const unsuitable = -1

// best returns the contracts of ranks 0, 1 and 2, by rank and then in the
// project's order.
func (k *catalog) best(rank func(*solc.Contract) int) []*solc.Contract {
	var ranks [3][]*solc.Contract
	for _, c := range k.program.Project {
		if r := rank(c); r != unsuitable {
			ranks[r] = append(ranks[r], c)
		}
	}
	list := slices.Concat(ranks[:]...)
	return list[:min(len(list), maxCandidates)]
}

// descends reports whether c inherits from a contract whose name ends with
// name.
func descends(c *solc.Contract, name string) bool {
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if n.Type == ast.ContractDefinition && n != c.Node && program.Inherits(c, n) && strings.HasSuffix(strings.ToLower(n.Name()), name) {
				return true
			}
		}
	}
	return false
}

// plainName strips what only says that a parameter is an address:
// "_factoryAddress" becomes "factory".
func plainName(parameter string) string {
	name := strings.ToLower(strings.Trim(parameter, "_"))
	for _, affix := range []string{"address", "addr", "contract"} {
		name = strings.Trim(strings.TrimSuffix(name, affix), "_")
	}
	return name
}
