package deploy

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
)

// A proposer makes arguments for the calls of a deployment.
type proposer struct {
	catalog   *catalog
	ledger    *ledger
	reserved  *reservations
	builder   *builder // deploys contracts among the arguments
	factories *factories
	random    *rand.Rand
}

// A level is a place in the nest of dependencies.
type level struct {
	depth int // how many constructors need what is deployed there
	index int // of the element of a list that it is for, see ledger.mock
}

func (l level) deeper() level { return level{l.depth + 1, l.index} }

// A proposal makes arguments of one call. The first attempts try small numbers, then
// zeros, then one ether; later attempts are random. Parameters of contract types
// always get contracts.
type proposal struct {
	*proposer
	*pool
	consumer *solc.Contract // has the function
	attempt  int
	level    level
}

// A pool is what the arguments of one call share.
type pool struct {
	used         map[common.Address]bool // contracts among them
	room         int                     // elements that lists among them may still have
	replacements int                     // mocks in place of contracts, and contracts left out
}

func (p *proposer) propose(consumer *solc.Contract, attempt int, at level) *proposal {
	return &proposal{p, &pool{map[common.Address]bool{}, input.MaxWords, 0}, consumer, attempt, at}
}

// as returns the proposal for the same call as in another attempt or at another depth.
func (p proposal) as(attempt, depth int) *proposal {
	p.attempt, p.level.depth = attempt, depth
	return &p
}

// arguments returns arguments for a function of a consumer.
func (p *proposer) arguments(ctx context.Context, consumer *solc.Contract, f *input.Function, attempt int, at level) ([]input.Value, error) {
	call := p.propose(consumer, attempt, at)
	args := make([]input.Value, len(f.Inputs))
	for i, field := range f.Inputs {
		v, err := call.argument(ctx, field)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return args, nil
}

func (p *proposal) argument(ctx context.Context, field input.Field) (input.Value, error) {
	t := field.Type
	v := input.Zero(t)
	switch t.Kind {
	case input.KindAddress:
		address, err := p.addressFor(ctx, field)
		v.Word.SetBytes20(address[:])
		return v, err
	case input.KindUint, input.KindInt:
		v.Word = p.number(t)
	case input.KindBool:
		if p.attempt >= 3 {
			v.Word.SetUint64(uint64(p.random.IntN(2)))
		}
	case input.KindFixedBytes:
		if p.attempt != 1 {
			v.Word.SetUint64(p.random.Uint64())
			v.Word.Lsh(&v.Word, uint(256-8*min(t.Size, 8)))
		}
	case input.KindString:
		if p.attempt != 1 && (p.attempt < 4 || p.random.IntN(2) == 0) {
			v.Data = []byte("LVRT")
		}
	case input.KindBytes: // a call for a proxy, usually none
		if p.attempt == 3 || p.attempt > 3 && p.random.IntN(2) == 0 {
			v.Data = []byte("LVRT")
		}
	case input.KindSlice, input.KindArray, input.KindTuple:
		return p.composite(ctx, field, v)
	}
	return v, nil
}

// composite fills arrays and structs. All dynamic arrays of one attempt have
// the same length, since constructors with several arrays usually require that.
func (p *proposal) composite(ctx context.Context, field input.Field, v input.Value) (input.Value, error) {
	elements := make([]input.Field, len(v.Elems))
	switch field.Type.Kind {
	case input.KindTuple:
		copy(elements, field.Type.Fields)
	case input.KindSlice:
		elements = make([]input.Field, min([]int{max(2, field.Elements), 0, 1, 3}[p.attempt%4], p.room))
		fallthrough
	default:
		for i := range elements {
			elements[i] = elementOf(field)
		}
	}
	p.room = max(0, p.room-len(elements))
	v.Elems = make([]input.Value, len(elements))
	for i, e := range elements {
		of := *p
		if field.Type.Kind != input.KindTuple {
			of.level.index = i // mocks in arrays differ, as do tokens in a list
		}
		value, err := of.argument(ctx, e)
		if err != nil {
			return v, err
		}
		if e.Type.Kind == input.KindAddress && field.Type.Kind != input.KindTuple && !program.IsContractType(e.InternalType) && p.ledger.made.at(value.Address()) == nil {
			a := input.Actors[i%len(input.Actors)].Address()
			value.Word.SetBytes20(a[:]) // owners and the like must differ
		}
		v.Elems[i] = value
	}
	return v, nil
}

// elementOf returns the field of the elements of an array: the names of arrays are
// plurals.
func elementOf(field input.Field) input.Field {
	internal := field.InternalType
	if cut := strings.LastIndexByte(internal, '['); cut > 0 {
		internal = internal[:cut]
	}
	name := strings.TrimRight(field.Name, "_")
	if ending := strings.ToLower(name); strings.HasSuffix(ending, "addresses") {
		name = name[:len(name)-2]
	} else if strings.HasSuffix(ending, "s") && !strings.HasSuffix(ending, "ss") {
		name = name[:len(name)-1]
	}
	return input.Field{Name: name, Type: field.Type.Elem, InternalType: internal}
}

func (p *proposal) number(t *input.Type) (w uint256.Int) {
	switch p.attempt {
	case 0, 9: // see replaced
		w.SetUint64(1)
	case 1:
	case 2, 5:
		w.SetUint64(1e18)
	default:
		switch p.random.IntN(8) {
		case 0:
			w.SetUint64(p.ledger.made.Block.Timestamp + uint64(p.random.IntN(1e7)))
		case 1:
			w.SetUint64(uint64(1 + p.random.IntN(100)))
		case 2:
			w.SetUint64(uint64(p.random.IntN(4)))
		case 3:
			w.SetUint64(1e18)
			w.Mul(&w, uint256.NewInt(uint64(1+p.random.IntN(1e6))))
		case 4:
			w.SetUint64(uint64(3600 * (1 + p.random.IntN(1000))))
		case 5:
			w.SetUint64(uint64(p.random.IntN(1e5)))
		case 6:
			w.SetUint64(p.random.Uint64())
		case 7:
			w.SetUint64(1)
			w.Lsh(&w, uint(p.random.IntN(t.Size)))
		}
	}
	return t.WordType().Wrap(&w)
}

// addressFor returns a contract for a parameter of contract type, and an actor
// for other addresses.
func (p *proposal) addressFor(ctx context.Context, field input.Field) (common.Address, error) {
	if address, ok := p.factories.templateFor(p.consumer, field); ok {
		return address, nil
	}
	if address, ok := p.reserved.expectedFor(p.consumer, field); ok {
		return address, nil
	}
	if program.IsContractType(field.InternalType) {
		return p.contractFor(ctx, field)
	}
	if s := p.catalog.mockFor(p.consumer, field); s != nil && p.attempt%4 != 1 {
		return p.mock(s, field)
	}
	if p.attempt%4 != 3 {
		if address, err := p.anyOf(ctx, p.catalog.byName(field.Name)); err != errNone {
			return address, err
		}
		if address, ok := p.reserved.promised(p.consumer, field); ok {
			return address, nil
		}
	}
	if s := mock.Like(field.Name); s != nil && p.attempt%4 != 1 {
		return p.mock(s, field)
	}
	switch {
	case p.attempt == 1:
		return common.Address{}, nil
	case p.attempt < 4:
		return input.Deployer.Address(), nil
	case p.claims(field):
		return p.mock(mock.Answers(), field)
	}
	return p.randomAddress(), nil
}

// contractFor returns a contract for a parameter of contract type. The attacker plays
// contracts that only an interface describes, in some attempts a mock does.
func (p *proposal) contractFor(ctx context.Context, field input.Field) (common.Address, error) {
	restore, s := p.ledger.checkpoint(), p.catalog.mockFor(p.consumer, field)
	if address, ok, err := p.replaced(ctx, field); ok || err != nil {
		return address, err
	}
	if address, err := p.anyOf(ctx, p.catalog.implementers(p.consumer, field.InternalType)); err != errNone {
		if s == nil || !isEmptyToken(p.ledger.program, p.ledger.chain, address) {
			return address, err
		}
		restore()
	}
	if address, ok := p.reserved.promised(p.consumer, field); ok && p.attempt%4 != 1 {
		return address, nil
	}
	if s != nil && p.attempt%8 != 7 && !p.claims(field) {
		return p.mock(s, field)
	}
	if p.attempt%4 == 2 {
		if address, ok, err := p.answering(ctx, field); ok || err != nil {
			return address, err
		}
	}
	return input.Attacker.Address(), nil
}

// errNone means that no contract of the project suits.
var errNone = errors.New("no such contract")

// anyOf returns the address of the first contract of a list that can be
// deployed; later attempts start elsewhere in the list.
func (p *proposal) anyOf(ctx context.Context, list []*solc.Contract) (common.Address, error) {
	first := 0
	switch {
	case p.reserved.initializing || len(list) < 2:
	case p.attempt == 2:
		first = 1
	case p.attempt > 3 && p.attempt%2 == 0:
		first = p.random.IntN(len(list))
	}
	for i := range list {
		c := list[(first+i)%len(list)]
		if p.level.depth >= deployDepth || p.builder.inProgress[c] {
			continue
		}
		if address, err := p.instance(ctx, c); err == nil || ctx.Err() != nil {
			return address, err
		}
	}
	return common.Address{}, errNone
}

// instance returns an instance of c that no other parameter of the constructor
// uses: tokens that are exchanged must differ.
func (p *proposal) instance(ctx context.Context, c *solc.Contract) (common.Address, error) {
	var used *common.Address
	for _, have := range p.ledger.made.Contracts {
		switch {
		case have.Contract != c || have.implementation:
		case p.used[have.Address]:
			used = &have.Address
		default:
			p.used[have.Address] = true
			return have.Address, nil
		}
	}
	address, err := p.builder.dependency(ctx, c, p.level)
	if err != nil && used != nil && ctx.Err() == nil {
		return *used, nil
	}
	p.used[address] = true
	return address, err
}

// claims reports whether an attempt takes a mock that says that it supports all interfaces:
// some later ones do where code asks contracts for that (ERC-165).
func (p *proposal) claims(field input.Field) bool {
	return p.attempt > 4 && p.attempt%4 == 2 && !p.reserved.initializing && !slices.Contains(actorNames, plainName(field.Name)) &&
		program.Accesses(p.consumer.Build, "supportsInterface")
}

// replaced returns what some later attempts take in place of the project's contracts:
// mocks, or none, since contracts may be optional. What the project has may not be ready
// for the constructor, or refuse it.
func (p *proposal) replaced(ctx context.Context, field input.Field) (common.Address, bool, error) {
	if p.attempt < 4 || p.attempt%4 != 1 || p.reserved.initializing || p.reserved.isWired() {
		return common.Address{}, false, nil
	}
	p.replacements++
	if optional(p.attempt/4-1)>>min(p.replacements-1, 63)&1 == 1 {
		return common.Address{}, true, nil
	}
	if s := p.catalog.mockFor(p.consumer, field); s != nil {
		address, err := p.mock(s, field)
		return address, err == nil, err
	}
	return p.as(0, p.level.depth).answering(ctx, field)
}

// optional returns which contracts among the arguments the nth of these attempts leaves
// out, as bits: none, then all but the first, then every combination.
func optional(n int) uint64 {
	switch n {
	case 0:
		return 0
	case 1:
		return ^uint64(1)
	}
	return uint64(n - 1)
}

// mock returns the address of a mock for a parameter.
func (p *proposal) mock(s *mock.Contract, field input.Field) (common.Address, error) {
	return p.ledger.mock(s, field.Name, p.level.index)
}

// randomAddress returns an actor or, one time in four, a deployed contract.
func (p *proposal) randomAddress() common.Address {
	if n := len(p.ledger.made.Contracts); n > 0 && p.random.IntN(4) == 0 {
		return p.ledger.made.Contracts[p.random.IntN(n)].Address
	}
	return input.Actors[p.random.IntN(len(input.Actors))].Address()
}
