package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// arguments makes constructor arguments. The first attempts are what a person
// would try: small numbers, then zeros, then an ether's worth; later ones are
// random. Parameters of contract types always get contracts.
func (d *deployer) arguments(ctx context.Context, f *input.Function, attempt, depth int) ([]input.Value, error) {
	args := make([]input.Value, len(f.Inputs))
	for i, field := range f.Inputs {
		v, err := d.argument(ctx, field, attempt, depth)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return args, nil
}

func (d *deployer) argument(ctx context.Context, field input.Field, attempt, depth int) (input.Value, error) {
	t := field.Type
	v := input.Zero(t)
	switch t.Kind {
	case input.KindAddress:
		address, err := d.addressFor(ctx, field, attempt, depth)
		v.Word.SetBytes20(address[:])
		return v, err
	case input.KindUint, input.KindInt:
		v.Word = d.number(t, attempt)
	case input.KindBool:
		if attempt >= 3 {
			v.Word.SetUint64(uint64(d.random.IntN(2)))
		}
	case input.KindFixedBytes:
		if attempt != 1 {
			v.Word.SetUint64(d.random.Uint64())
			v.Word.Lsh(&v.Word, uint(256-8*min(t.Size, 8)))
		}
	case input.KindString, input.KindBytes:
		if attempt != 1 && (attempt < 4 || d.random.IntN(2) == 0) {
			v.Data = []byte("LVRT")
		}
	case input.KindSlice, input.KindArray, input.KindTuple:
		return d.composite(ctx, field, v, attempt, depth)
	}
	return v, nil
}

// composite fills arrays and structs; all dynamic arrays of one attempt have
// the same length, as constructors that take several expect.
func (d *deployer) composite(ctx context.Context, field input.Field, v input.Value, attempt, depth int) (input.Value, error) {
	elements := make([]input.Field, len(v.Elems))
	switch field.Type.Kind {
	case input.KindTuple:
		copy(elements, field.Type.Fields)
	case input.KindSlice:
		elements = make([]input.Field, []int{2, 0, 1, 3}[attempt%4])
		fallthrough
	default:
		internal := field.InternalType
		if cut := strings.LastIndexByte(internal, '['); cut > 0 {
			internal = internal[:cut]
		}
		for i := range elements {
			elements[i] = input.Field{Name: field.Name, Type: field.Type.Elem, InternalType: internal}
		}
	}
	v.Elems = make([]input.Value, len(elements))
	for i, e := range elements {
		value, err := d.argument(ctx, e, attempt, depth)
		if err != nil {
			return v, err
		}
		if e.Type.Kind == input.KindAddress && field.Type.Kind != input.KindTuple && !isContractType(e.InternalType) {
			a := input.Actor(i % input.ActorCount).Address()
			value.Word.SetBytes20(a[:]) // owners and the like have to differ
		}
		v.Elems[i] = value
	}
	return v, nil
}

func (d *deployer) number(t *input.Type, attempt int) (w uint256.Int) {
	switch attempt {
	case 0:
		w.SetUint64(1)
	case 1:
	case 2:
		w.SetUint64(1e18)
	default:
		switch d.random.IntN(8) {
		case 0:
			w.SetUint64(genesis.Timestamp + uint64(d.random.IntN(1e7)))
		case 1:
			w.SetUint64(uint64(1 + d.random.IntN(100)))
		case 2:
			w.SetUint64(uint64(d.random.IntN(4)))
		case 3:
			w.SetUint64(1e18)
			w.Mul(&w, uint256.NewInt(uint64(1+d.random.IntN(1e6))))
		case 4:
			w.SetUint64(uint64(3600 * (1 + d.random.IntN(1000))))
		case 5:
			w.SetUint64(uint64(d.random.IntN(1e5)))
		case 6:
			w.SetUint64(d.random.Uint64())
		case 7:
			w.SetUint64(1)
			w.Lsh(&w, uint(d.random.IntN(t.Size)))
		}
	}
	return t.WordType().Wrap(&w)
}

// addressFor answers a parameter of contract type with a contract, any other
// with an actor.
func (d *deployer) addressFor(ctx context.Context, field input.Field, attempt, depth int) (common.Address, error) {
	if isContractType(field.InternalType) {
		if address, err := d.oneOf(ctx, d.implementers(field.InternalType), attempt, depth); err != errNone {
			return address, err
		}
		if s := d.standInFor(field); s != nil && attempt%8 != 7 {
			return d.standIn(s, field.Name)
		}
		return input.Attacker.Address(), nil
	}
	if s := d.standInFor(field); s != nil && attempt%4 != 1 {
		return d.standIn(s, field.Name)
	}
	if attempt%4 != 3 {
		if address, err := d.oneOf(ctx, d.meant(field.Name), attempt, depth); err != errNone {
			return address, err
		}
	}
	switch {
	case attempt == 1:
		return common.Address{}, nil
	case attempt < 4:
		return input.Deployer.Address(), nil
	}
	return d.anybody(), nil
}

// errNone says that no contract of the project will do.
var errNone = errors.New("no such contract")

// oneOf returns where one of some contracts stands, which is deployed if it
// does not stand yet: the first that can be, and in later attempts others.
func (d *deployer) oneOf(ctx context.Context, list []*solc.Contract, attempt, depth int) (common.Address, error) {
	first := 0
	switch {
	case d.late || len(list) < 2:
	case attempt == 2:
		first = 1
	case attempt > 3 && attempt%2 == 0:
		first = d.random.IntN(len(list))
	}
	for i := range list {
		c := list[(first+i)%len(list)]
		if depth >= deployDepth || d.busy[c] {
			continue
		}
		if address, ok := d.standing(c); ok {
			return address, nil
		}
		if address, err := d.dependency(ctx, c, depth); err == nil || ctx.Err() != nil {
			return address, err
		}
	}
	return common.Address{}, errNone
}

// anybody is an actor, or now and then a contract that stands already.
func (d *deployer) anybody() common.Address {
	if n := len(d.scene.contracts); n > 0 && d.random.IntN(4) == 0 {
		return d.scene.contracts[d.random.IntN(n)].address
	}
	return input.Actor(d.random.IntN(input.ActorCount)).Address()
}

// logics are how proxies call the address of the code that they run.
var logics = []string{"logic", "implementation", "impl", "singleton", "mastercopy", "template"}

// roles are parameters that mean somebody, not a contract of that name.
var roles = []string{"owner", "admin", "manager", "operator", "keeper", "minter", "wallet", "user", "account", "sender",
	"receiver", "recipient", "beneficiary", "guardian", "authority"}

// maxCandidates bounds how many contracts are tried for one parameter.
const maxCandidates = 8

// meant returns the contracts of the project that the name of a parameter of
// type address may mean, the likeliest first: code for a proxy to run, a
// beacon, or one whose name is the parameter's or ends in it. Code for a proxy
// is best what inherits from a contract of the parameter's name: it was written
// for that.
func (d *deployer) meant(parameter string) []*solc.Contract {
	name := plainName(parameter)
	if len(name) < 4 || slices.Contains(roles, name) {
		return nil
	}
	logic := slices.ContainsFunc(logics, func(l string) bool { return strings.HasSuffix(name, l) })
	return d.program.best(func(c *solc.Contract) int {
		if c == d.program.under || !c.Deployable() || c.Kind != solc.KindContract || c.Harness() != "" {
			return unfit
		}
		abi := d.program.abi(c)
		bare := abi.Fallback == nil && len(abi.Functions) > 0
		switch own := strings.ToLower(c.Name); {
		case logic && len(abi.Constructor.Inputs) == 0 && descends(c, name):
			return 0
		case logic && bare && len(abi.Constructor.Inputs) == 0:
			return 1
		case logic:
			return unfit
		case strings.HasSuffix(name, "beacon"):
			if abi.Fallback == nil && c.Methods["implementation()"] != "" {
				return 0
			}
			return unfit
		case own == name:
			return 0
		case strings.HasSuffix(own, name):
			return 1
		}
		return unfit
	})
}

// unfit is the rank of a contract that will not do.
const unfit = -1

// best lists contracts of the project by rank, from 0 on, and within a rank as
// the project has them.
func (p *program) best(rank func(*solc.Contract) int) []*solc.Contract {
	var ranks [2][]*solc.Contract
	for _, c := range p.project {
		if r := rank(c); r != unfit {
			ranks[r] = append(ranks[r], c)
		}
	}
	list := slices.Concat(ranks[0], ranks[1])
	return list[:min(len(list), maxCandidates)]
}

// descends reports whether c inherits from a contract whose name ends in a
// parameter's.
func descends(c *solc.Contract, name string) bool {
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if n.Type == ast.ContractDefinition && n != c.Node && inherits(c, n) && strings.HasSuffix(strings.ToLower(n.Name()), name) {
				return true
			}
		}
	}
	return false
}

// plainName is a parameter's name without what only says that it is an
// address: "_factoryAddress" is "factory".
func plainName(parameter string) string {
	name := strings.ToLower(strings.Trim(parameter, "_"))
	for _, affix := range []string{"address", "addr", "contract"} {
		name = strings.Trim(strings.TrimSuffix(name, affix), "_")
	}
	return name
}

// dependency deploys a contract that another one needs. One that cannot be
// deployed is not tried again.
func (d *deployer) dependency(ctx context.Context, c *solc.Contract, depth int) (common.Address, error) {
	if err := d.failed[c]; err != nil {
		return common.Address{}, err
	}
	address, err := d.create(ctx, c, depth+1)
	if err != nil {
		d.failed[c] = err
	}
	return address, err
}

func isContractType(internal string) bool { return strings.HasPrefix(internal, "contract ") }

// typed returns the contract of the type named "contract X": that in the file
// of the contract whose arguments are made, before others of the name.
func (d *deployer) typed(internal string) *solc.Contract {
	name := strings.TrimPrefix(internal, "contract ")
	if c := d.program.find(func(c *solc.Contract) bool { return c.Name == name && c.File == d.asking.File }); c != nil {
		return c
	}
	return d.program.find(func(c *solc.Contract) bool { return c.Name == name })
}

// implementers returns the contracts of the project that can be deployed and
// have every function of the type named "contract X": X itself first.
func (d *deployer) implementers(internal string) []*solc.Contract {
	wanted := d.typed(internal)
	if wanted == nil {
		return nil
	}
	return d.program.best(func(c *solc.Contract) int {
		switch {
		case c.Kind != solc.KindContract || c.Abstract || len(c.Creation.Object) == 0:
			return unfit
		case c == wanted:
			return 0
		case c == d.program.under || len(wanted.Methods) == 0 || !hasAll(c, wanted.Methods):
			return unfit
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
