package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// An ABI is the external interface of a contract. It is immutable.
type ABI struct {
	Constructor *Function   // implicit if the contract declares none
	Receive     *Function   // nil if there is none
	Fallback    *Function   // nil if there is none
	Functions   []*Function // in the order of the JSON
	Events      []*Event
	Errors      []*CustomError
	Skipped     []Skipped // entries with types that no caller can encode (storage pointers of libraries, huge arrays)
}

// A Skipped is an entry of an ABI that was left out.
type Skipped struct {
	Name     string
	Function bool
	Err      error // the reason
}

// An Event describes a log.
type Event struct {
	Name      string
	Signature string
	ID        common.Hash // first topic unless Anonymous
	Inputs    []Field
	Indexed   []bool // by input
	Anonymous bool
}

// A CustomError describes revert data.
type CustomError struct {
	Name      string
	Signature string
	Selector  [4]byte
	Inputs    []Field
}

// Method returns the function with a signature, "transfer(address,uint256)",
// "constructor", "receive()" and "fallback()" included; nil if there is none.
func (a *ABI) Method(signature string) *Function {
	for _, f := range a.Functions {
		if f.Signature == signature {
			return f
		}
	}
	for _, f := range [...]*Function{a.Constructor, a.Receive, a.Fallback} {
		if f != nil && f.Signature == signature {
			return f
		}
	}
	return nil
}

// Select returns the function of a selector in calldata; nil if there is none.
func (a *ABI) Select(calldata []byte) *Function {
	if len(calldata) >= 4 {
		for _, f := range a.Functions {
			if f.Selector == [4]byte(calldata) {
				return f
			}
		}
	}
	if len(calldata) == 0 && a.Receive != nil {
		return a.Receive
	}
	return a.Fallback
}

type jsonEntry struct {
	Type            string      `json:"type"`
	Name            string      `json:"name"`
	Inputs          []jsonField `json:"inputs"`
	Outputs         []jsonField `json:"outputs"`
	StateMutability string      `json:"stateMutability"`
	Constant        bool        `json:"constant"` // before 0.4.16
	Payable         bool        `json:"payable"`  // before 0.4.16
	Anonymous       bool        `json:"anonymous"`
}

type jsonField struct {
	Name         string      `json:"name"`
	Type         string      `json:"type"`
	InternalType string      `json:"internalType"`
	Indexed      bool        `json:"indexed"`
	Components   []jsonField `json:"components"`
}

// ParseABI reads a compiler's JSON ABI, including that of solc 0.4 (constant
// and payable in place of stateMutability, missing types).
func ParseABI(data []byte) (*ABI, error) {
	var entries []jsonEntry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("read ABI: %w", err)
	}
	a := &ABI{}
	for i := range entries {
		if err := a.add(&entries[i]); err != nil {
			e := &entries[i]
			a.Skipped = append(a.Skipped, Skipped{e.Name, e.Type == "function" || e.Type == "", err})
		}
	}
	if a.Constructor == nil {
		a.Constructor = PlainConstructor
	}
	return a, nil
}

func (a *ABI) add(e *jsonEntry) error {
	inputs, err := readFields(e.Inputs, 0)
	if err != nil {
		return err
	}
	switch e.Type {
	case "event":
		event := &Event{Name: e.Name, Inputs: inputs, Anonymous: e.Anonymous, Signature: signature(e.Name, inputs)}
		event.ID = crypto.Keccak256Hash([]byte(event.Signature))
		for _, f := range e.Inputs {
			event.Indexed = append(event.Indexed, f.Indexed)
		}
		a.Events = append(a.Events, event)
		return nil
	case "error":
		ce := &CustomError{Name: e.Name, Inputs: inputs, Signature: signature(e.Name, inputs)}
		ce.Selector = [4]byte(crypto.Keccak256([]byte(ce.Signature)))
		a.Errors = append(a.Errors, ce)
		return nil
	}
	outputs, err := readFields(e.Outputs, 0)
	if err != nil {
		return err
	}
	f := &Function{Name: e.Name, Inputs: inputs, Outputs: outputs, Mutability: e.mutability()}
	switch e.Type {
	case "function", "":
		a.Functions = append(a.Functions, f.finish())
	case "constructor":
		f.Name, f.Constructor = "constructor", true
		a.Constructor = f.finish()
	case "receive":
		f.Name, f.Raw = "receive", true
		a.Receive = f.finish()
	case "fallback":
		f.Name, f.Raw, f.Inputs, f.Outputs = "fallback", true, nil, nil
		a.Fallback = f.finish()
	default:
		return errors.New("unknown kind of entry")
	}
	return nil
}

func (e *jsonEntry) mutability() Mutability {
	switch e.StateMutability {
	case "pure":
		return Pure
	case "view":
		return View
	case "payable":
		return Payable
	case "":
		if e.Constant {
			return View
		}
		if e.Payable {
			return Payable
		}
	}
	return NonPayable
}

func readFields(list []jsonField, depth int) ([]Field, error) {
	if depth > maxTypeDepth {
		return nil, errors.New("nested too deeply")
	}
	leaves := 0
	fields := make([]Field, len(list))
	for i := range list {
		t, err := readFieldType(&list[i], depth)
		if err != nil {
			return nil, err
		}
		if leaves += t.leaves(maxTypeLeaves); leaves > maxTypeLeaves {
			return nil, errTooLarge
		}
		fields[i] = Field{Name: list[i].Name, Type: t, InternalType: list[i].InternalType}
	}
	return fields, nil
}

// readFieldType reads "tuple[3][]" with its components, or a canonical name.
func readFieldType(f *jsonField, depth int) (*Type, error) {
	suffix, ok := strings.CutPrefix(f.Type, "tuple")
	if !ok {
		return ParseType(f.Type)
	}
	components, err := readFields(f.Components, depth+1)
	if err != nil {
		return nil, err
	}
	p := typeParser{rest: suffix}
	t, err := p.parseSuffixes(&Type{Kind: KindTuple, Fields: components}, depth)
	if err == nil && p.rest != "" {
		err = errTypeSyntax
	}
	return t, err
}
