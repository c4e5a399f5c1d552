package input

import (
	"slices"

	"github.com/holiman/uint256"
)

// Reenters reports whether a script makes re-entrant calls. There may be none.
func (s *Script) Reenters() bool { return s != nil && s.Mode == Reenter }

// script adds the Parameters of a Script.
func (w *walker) script(s *Script) {
	if s.Mode == Reenter {
		for i := range s.Calls {
			w.call = i + 1
			w.message(&s.Calls[i].Tx)
		}
	}
	for i, words := range s.Answers {
		w.call = i + 1
		w.add(ParamAnswerLength, 0, WordType{Bits: 8, Limit: MaxAnswerWords}, nil)
		for k := range words {
			w.add(ParamAnswer, k, WordType{Bits: 256}, nil)
		}
	}
}

// ofAnswer reports whether p is part of an answer.
func (p *Parameter) ofAnswer() bool { return p.Kind == ParamAnswer || p.Kind == ParamAnswerLength }

// CallOf returns the call whose Parameter p is: tx, or a call of its Script.
func CallOf(tx *Tx, p *Parameter) *Tx {
	if p.Call > 0 && !p.ofAnswer() {
		return &tx.Script.Calls[p.Call-1].Tx
	}
	return tx
}

// WithCall returns tx with the call whose Parameter p is replaced by what change
// makes of it.
func (tx Tx) WithCall(p *Parameter, change func(Tx) Tx) Tx {
	if p.Call == 0 || p.ofAnswer() {
		return change(tx)
	}
	script := *tx.Script
	script.Calls = slices.Clone(script.Calls)
	call := &script.Calls[p.Call-1].Tx
	*call = change(*call)
	tx.Script = &script
	return tx
}

// setScript sets a Parameter of the Script.
func (tx *Tx) setScript(p *Parameter, w uint256.Int) Tx {
	if !p.ofAnswer() {
		own := *p
		own.Call = 0
		return tx.WithCall(p, func(call Tx) Tx { return Set(&call, &own, w) })
	}
	out, script := *tx, *tx.Script
	script.Answers = slices.Clone(script.Answers)
	words := slices.Clone(script.Answers[p.Call-1])
	if p.Kind == ParamAnswer {
		words[p.Chunk] = w
	} else {
		for n := int(w.Uint64()); len(words) < n; { // true, or a number like others
			words = append(words, uint256.Int{1})
		}
		words = words[:w.Uint64()]
	}
	script.Answers[p.Call-1] = words
	out.Script = &script
	return out
}

// Pays reports whether the re-entrant calls of a Script send wei; s may be nil.
func (s *Script) Pays() bool {
	return s != nil && slices.ContainsFunc(s.Calls, func(c Reentry) bool { return !c.Tx.Value.IsZero() })
}

// Plain returns a Script that accepts calls and answers as s does; nil if s answers
// what is usual.
func (s *Script) Plain() *Script {
	if s == nil || len(s.Answers) == 0 {
		return nil
	}
	return &Script{Answers: s.Answers}
}

// MadeIn reports whether the nth call of the attacker contract, from 1, makes a
// re-entrant call.
func (r *Reentry) MadeIn(n int) bool {
	first := max(1, r.First)
	return n >= first && n-first < max(1, r.Times)
}

// LastCall returns the last call of the attacker contract that makes a re-entrant
// call; 0 if there is none.
func (s *Script) LastCall() (last int) {
	for i := range s.Calls {
		c := &s.Calls[i]
		last = max(last, max(1, c.First)+max(1, c.Times)-1)
	}
	return last
}
