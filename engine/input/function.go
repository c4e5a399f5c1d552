package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
)

func signature(name string, inputs []Field) string {
	var b strings.Builder
	b.WriteString(name)
	writeFields(&b, inputs)
	return b.String()
}

// finish sets the fields that follow from name and inputs.
func (f *Function) finish() *Function {
	f.Signature = signature(f.Name, f.Inputs)
	if !f.Constructor && !f.Raw {
		f.Selector = [4]byte(crypto.Keccak256([]byte(f.Signature)))
	}
	f.fixed = true
	for i := range f.Inputs {
		f.fixed = f.fixed && f.Inputs[i].Type.fixedShape()
		f.least += f.Inputs[i].Type.words()
	}
	if f.fixed && !f.Raw {
		f.params = walkParameters(&Tx{Function: f, Args: f.Zero()})
	} else {
		f.fixed = false
	}
	return f
}

// Zero returns zero or empty arguments.
func (f *Function) Zero() []Value {
	args := make([]Value, len(f.Inputs))
	for i := range args {
		args[i] = Zero(f.Inputs[i].Type)
	}
	return args
}

// Constant reports whether the function is view or pure.
func (f *Function) Constant() bool { return f.Mutability == View || f.Mutability == Pure }

// ParseSignature parses "transfer(address,uint256)". The Function has no
// outputs and is payable, so that recorded values stay valid; constructor(…),
// receive(), fallback() and that of Forced are recognised by name.
func ParseSignature(s string) (*Function, error) {
	open := strings.IndexByte(s, '(')
	if open <= 0 || !identifier(s[:open]) {
		return nil, fmt.Errorf("signature %q: no name before the parameters", clip(s))
	}
	t, err := ParseType(s[open:])
	if err != nil {
		return nil, fmt.Errorf("signature %q: %w", clip(s), err)
	}
	if t.Kind != KindTuple {
		return nil, fmt.Errorf("signature %q: %w", clip(s), errors.New("no parameter list"))
	}
	f := &Function{Name: s[:open], Inputs: t.Fields, Mutability: Payable}
	f.Constructor = f.Name == "constructor"
	f.Raw = (f.Name == "receive" || f.Name == "fallback" || f.Name == forcedName) && len(f.Inputs) == 0
	return f.finish(), nil
}

// identifier reports whether s is a valid Solidity name.
func identifier(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// PlainConstructor is the implicit constructor.
var PlainConstructor = (&Function{Name: "constructor", Constructor: true}).finish()

// approvals are the functions by which an account lets others take its tokens.
var approvals = map[string]bool{"approve": true, "setApprovalForAll": true, "increaseAllowance": true, "increaseApproval": true}

// Approves reports whether a call lets others take tokens of its sender, by the function's name.
func (f *Function) Approves() bool { return f != nil && approvals[f.Name] }
