package mutate

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// Pool returns candidate values for arguments of f; nil stands for any
// function.
func (c *Env) Pool(f *input.Function) input.Pool {
	if p := c.pools[f]; p != nil {
		return p
	}
	p := &pool{env: c}
	if f != nil {
		p.function = f.Signature
	}
	if c.pools == nil {
		c.pools = map[*input.Function]*pool{}
	}
	c.pools[f] = p
	return p
}

// A pool is an Env restricted to one function.
type pool struct {
	env      *Env
	function string
	nested   bool // arguments of calls encoded in bytes hold no further calls
}

func (p pool) Address(r *rand.Rand) (common.Address, bool) {
	return p.env.Addresses.Draw(r), true
}

// Word draws a few times until a word fits t.
func (p pool) Word(r *rand.Rand, t input.WordType) (uint256.Int, bool) {
	if p.env.Dictionary == nil {
		return uint256.Int{}, false
	}
	for range 4 {
		w, ok := p.env.Dictionary.draw(r, p.function)
		if !ok {
			return w, false
		}
		if w, ok = fitWord(r, t, w); ok {
			return w, true
		}
	}
	return uint256.Int{}, false
}

// Bytes draws a literal, an encoded call of a target (as multicalls, governors
// and wallets take), or a constant as bytes.
func (p pool) Bytes(r *rand.Rand) ([]byte, bool) {
	switch r.IntN(3) {
	case 0:
		if d := p.env.Dictionary; d != nil && len(d.blobs) > 0 {
			return d.blobs[r.IntN(len(d.blobs))], true
		}
	case 1:
		if w, ok := p.Word(r, input.WordType{Bits: 256}); ok {
			b := w.Bytes32()
			return trim(b[:]), true
		}
	}
	targets := p.env.Targets
	if p.nested || len(targets) == 0 {
		return nil, false
	}
	t := targets[r.IntN(len(targets))]
	call := input.RandomTx(r, t.Function, t.To, pool{env: p.env, function: t.Function.Signature, nested: true})
	return call.Calldata(), true
}

// Call draws a function of a target that changes something, for a call that is
// encoded in bytes.
func (p pool) Call(r *rand.Rand) (*input.Content, bool) {
	targets := p.env.Targets
	for range min(4, len(targets)) {
		if t := targets[r.IntN(len(targets))]; !t.Function.Raw && !t.Function.Constant() {
			return t.call(), true
		}
	}
	return nil, false
}

// In returns the candidate values for arguments of f.
func (p pool) In(f *input.Function) input.Pool {
	return pool{env: p.env, function: f.Signature, nested: true}
}

// call is what bytes hold that call the target.
func (t *Target) call() *input.Content {
	c := input.EncodedCallOf(t.Function)
	c.To = t.To
	return c
}

// trim cuts a word to the text it may hold: string constants are left-aligned.
func trim(b []byte) []byte {
	n := len(b)
	for n > 0 && b[n-1] == 0 {
		n--
	}
	if b[0] == 0 {
		return b
	}
	return b[:n]
}
