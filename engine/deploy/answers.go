package deploy

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
)

// A constructor may ask one contract for another one: a pool for its token, a
// router for its factory. Where the project has only an interface of the contract
// that is asked, a mock answers, and what it answers are contracts, too.

// mockWords is how many words the mock answers without being told.
const mockWords = 8

// answering returns a mock in place of a contract that only an interface or an
// abstract contract describes, told what its functions return where ones do not
// do; false if the field has no such type.
func (p *proposal) answering(ctx context.Context, field input.Field) (common.Address, bool, error) {
	if !program.IsContractType(field.InternalType) {
		return common.Address{}, false, nil
	}
	wanted := p.catalog.byType(p.consumer, field.InternalType)
	if wanted == nil || len(wanted.Methods) == 0 {
		return common.Address{}, false, nil
	}
	key := mock.Answers().Name + " " + wanted.Name
	if address, ok := p.ledger.mocks[key]; ok {
		return address, true, nil
	}
	if p.reserved.initializing || p.level.depth >= deployDepth { // nothing may be deployed now
		return common.Address{}, false, nil
	}
	address, err := p.ledger.deployAs(key, mock.Answers(), nil) // before it is told: an interface may lead back to itself
	if err != nil {
		return address, false, err
	}
	return address, true, p.tell(ctx, address, wanted)
}

// tell tells a mock what the functions of a contract return that it replaces.
func (p *proposal) tell(ctx context.Context, address common.Address, wanted *solc.Contract) error {
	q := *p
	q.consumer, q.level = wanted, p.level.deeper()
	for _, f := range p.catalog.program.ABI(wanted).Functions {
		if !needsAnswer(f) {
			continue
		}
		values := make([]input.Value, len(f.Outputs))
		for i, field := range f.Outputs {
			if field.Name == "" {
				field.Name = f.Name
			}
			v, err := q.answer(ctx, field)
			if err != nil {
				return err
			}
			values[i] = v
		}
		p.ledger.tellAnswer(address, f, values)
	}
	return nil
}

// needsAnswer reports whether ones are no answer of f: it returns an address, or
// what is not encoded as a few words in place.
func needsAnswer(f *input.Function) bool {
	values := make([]input.Value, len(f.Outputs))
	for i, field := range f.Outputs {
		if holdsAddress(field.Type) || field.Type.Dynamic() {
			return true
		}
		values[i] = input.Zero(field.Type)
	}
	return len(input.AppendValues(nil, values)) > mockWords*32
}

func holdsAddress(t *input.Type) bool {
	switch t.Kind {
	case input.KindAddress:
		return true
	case input.KindTuple:
		for _, member := range t.Fields {
			if holdsAddress(member.Type) {
				return true
			}
		}
	case input.KindArray, input.KindSlice:
		return holdsAddress(t.Elem)
	}
	return false
}

// answer returns a value that a mock returns: a contract where one is meant, and one
// for numbers.
func (p *proposal) answer(ctx context.Context, field input.Field) (v input.Value, err error) {
	v = input.Zero(field.Type)
	switch field.Type.Kind {
	case input.KindUint, input.KindInt, input.KindBool:
		v.Word = *uint256.NewInt(1)
		return v, nil
	case input.KindTuple:
		for i, member := range field.Type.Fields {
			if v.Elems[i], err = p.answer(ctx, member); err != nil {
				return v, err
			}
		}
		return v, nil
	case input.KindSlice:
		v.Elems = make([]input.Value, listLength(p.consumer.Build))
		for i := range v.Elems {
			if v.Elems[i], err = p.answer(ctx, elementOf(field)); err != nil {
				return v, err
			}
		}
		return v, nil
	}
	return p.argument(ctx, field)
}

// The length of the lists that a mock returns, and the longest one.
const (
	listed     = 2
	mostListed = 32
)

// listLength returns the length of the lists that mocks return to the code of a build: of the
// longest list of a fixed length that it creates, as others often return one element for each
// that they are asked for.
func listLength(b *solc.Build) int {
	type key struct{}
	return b.Derived(key{}, func() any {
		length := listed
		for _, s := range b.Sources {
			if s == nil || s.Unit == nil || s.Library {
				continue
			}
			for _, call := range s.Unit.Root.Find(ast.FunctionCall) {
				if callee := call.Callee(); callee == nil || callee.Type != ast.NewExpression || len(call.Arguments()) != 1 {
					continue
				}
				if n := call.Arguments()[0].ValueType().Number; call.ValueType().Kind == ast.TypeArray && n != nil && n.IsInt64() && n.Int64() <= mostListed {
					length = max(length, int(n.Int64()))
				}
			}
		}
		return length
	}).(int)
}
