package deploy

import (
	"context"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
)

// arguments returns arguments for f. The first attempts try small numbers, then
// zeros, then one ether; later attempts are random. Parameters of contract
// types always get contracts.
func (d *deployer) arguments(ctx context.Context, f *input.Function, attempt, depth int) ([]input.Value, error) {
	defer func(used map[common.Address]bool, room, n int) { d.used, d.room, d.replacements = used, room, n }(d.used, d.room, d.replacements)
	d.used, d.room, d.replacements = map[common.Address]bool{}, input.MaxWords, 0
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
	case input.KindString:
		if attempt != 1 && (attempt < 4 || d.random.IntN(2) == 0) {
			v.Data = []byte("LVRT")
		}
	case input.KindBytes: // a call for a proxy, usually none
		if attempt == 3 || attempt > 3 && d.random.IntN(2) == 0 {
			v.Data = []byte("LVRT")
		}
	case input.KindSlice, input.KindArray, input.KindTuple:
		return d.composite(ctx, field, v, attempt, depth)
	}
	return v, nil
}

// composite fills arrays and structs. All dynamic arrays of one attempt have
// the same length, since constructors with several arrays usually require that.
func (d *deployer) composite(ctx context.Context, field input.Field, v input.Value, attempt, depth int) (input.Value, error) {
	elements := make([]input.Field, len(v.Elems))
	switch field.Type.Kind {
	case input.KindTuple:
		copy(elements, field.Type.Fields)
	case input.KindSlice:
		elements = make([]input.Field, min([]int{2, 0, 1, 3}[attempt%4], d.room))
		fallthrough
	default:
		for i := range elements {
			elements[i] = elementOf(field)
		}
	}
	d.room = max(0, d.room-len(elements))
	v.Elems = make([]input.Value, len(elements))
	for i, e := range elements {
		value, err := d.element(ctx, field, e, i, attempt, depth)
		if err != nil {
			return v, err
		}
		if e.Type.Kind == input.KindAddress && field.Type.Kind != input.KindTuple && !program.IsContractType(e.InternalType) && d.made.at(value.Address()) == nil {
			a := input.Actors[i%len(input.Actors)].Address()
			value.Word.SetBytes20(a[:]) // owners and the like must differ
		}
		v.Elems[i] = value
	}
	return v, nil
}

// element makes a member of a struct or the ith element of an array. Mocks in arrays
// differ, as do tokens in a list.
func (d *deployer) element(ctx context.Context, of, e input.Field, i, attempt, depth int) (input.Value, error) {
	if of.Type.Kind != input.KindTuple {
		defer func(before int) { d.index = before }(d.index)
		d.index = i
	}
	return d.argument(ctx, e, attempt, depth)
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

func (d *deployer) number(t *input.Type, attempt int) (w uint256.Int) {
	switch attempt {
	case 0, 9: // see replaced
		w.SetUint64(1)
	case 1:
	case 2, 5:
		w.SetUint64(1e18)
	default:
		switch d.random.IntN(8) {
		case 0:
			w.SetUint64(d.made.Block.Timestamp + uint64(d.random.IntN(1e7)))
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

// addressFor returns a contract for a parameter of contract type, and an actor
// for other addresses. The attacker plays contracts that only an interface
// describes, in some attempts a mock does.
func (d *deployer) addressFor(ctx context.Context, field input.Field, attempt, depth int) (common.Address, error) {
	if address, ok := d.reserved.templateFor(d.consumer, field); ok {
		return address, nil
	}
	if address, ok := d.reserved.expectedFor(d.consumer, field); ok {
		return address, nil
	}
	if program.IsContractType(field.InternalType) {
		before, s := d.ledger.checkpoint(), d.catalog.mockFor(d.consumer, field)
		if address, ok, err := d.replaced(ctx, field, attempt, depth); ok || err != nil {
			return address, err
		}
		if address, err := d.anyOf(ctx, d.catalog.implementers(d.consumer, field.InternalType), attempt, depth); err != errNone {
			if s == nil || !isEmptyToken(d.program, d.chain, address) {
				return address, err
			}
			d.ledger.restore(before)
		}
		if address, ok := d.reserved.promised(d.consumer, field); ok && attempt%4 != 1 {
			return address, nil
		}
		if s != nil && attempt%8 != 7 && !d.claims(field, attempt) {
			return d.ledger.mock(s, field.Name, d.index)
		}
		if attempt%4 == 2 {
			if address, ok, err := d.answering(ctx, field, attempt, depth); ok || err != nil {
				return address, err
			}
		}
		return input.Attacker.Address(), nil
	}
	if s := d.catalog.mockFor(d.consumer, field); s != nil && attempt%4 != 1 {
		return d.ledger.mock(s, field.Name, d.index)
	}
	if attempt%4 != 3 {
		if address, err := d.anyOf(ctx, d.catalog.byName(field.Name), attempt, depth); err != errNone {
			return address, err
		}
		if address, ok := d.reserved.promised(d.consumer, field); ok {
			return address, nil
		}
	}
	if s := mock.Like(field.Name); s != nil && attempt%4 != 1 {
		return d.ledger.mock(s, field.Name, d.index)
	}
	switch {
	case attempt == 1:
		return common.Address{}, nil
	case attempt < 4:
		return input.Deployer.Address(), nil
	case d.claims(field, attempt):
		return d.ledger.mock(mock.Answers(), field.Name, d.index)
	}
	return d.randomAddress(), nil
}

// claims reports whether an attempt takes a mock that says that it supports all interfaces:
// some later ones do where code asks contracts for that (ERC-165).
func (d *deployer) claims(field input.Field, attempt int) bool {
	return attempt > 4 && attempt%4 == 2 && !d.reserved.initializing && !slices.Contains(actorNames, plainName(field.Name)) &&
		program.Accesses(d.consumer.Build, "supportsInterface")
}

// replaced returns what some later attempts take in place of the project's contracts:
// mocks, or none, since contracts may be optional. What the project has may not be ready
// for the constructor, or refuse it.
func (d *deployer) replaced(ctx context.Context, field input.Field, attempt, depth int) (common.Address, bool, error) {
	if attempt < 4 || attempt%4 != 1 || d.reserved.initializing || d.reserved.isWired() {
		return common.Address{}, false, nil
	}
	d.replacements++
	if optional(attempt/4-1)>>min(d.replacements-1, 63)&1 == 1 {
		return common.Address{}, true, nil
	}
	if s := d.catalog.mockFor(d.consumer, field); s != nil {
		address, err := d.ledger.mock(s, field.Name, d.index)
		return address, err == nil, err
	}
	return d.answering(ctx, field, 0, depth)
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

// randomAddress returns an actor or, one time in four, a deployed contract.
func (d *deployer) randomAddress() common.Address {
	if n := len(d.made.Contracts); n > 0 && d.random.IntN(4) == 0 {
		return d.made.Contracts[d.random.IntN(n)].Address
	}
	return input.Actors[d.random.IntN(len(input.Actors))].Address()
}
