package triage

import (
	"bytes"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/search"
)

// plainAnswers are what the attacker's contract answers where it does no harm: its
// usual 1, and one token.
var plainAnswers = []*uint256.Int{uint256.NewInt(1), uint256.NewInt(1e18)}

// plainWords is how many words it answers at least.
const plainWords = 8

// plainRounds is how often the answers of a transaction follow its questions, which
// depend on the answers before.
const plainRounds = 4

// misbehaves reports whether the attacker's contract does anything but give plain
// answers.
func misbehaves(tx input.Tx) bool {
	s := tx.Script
	plain := func(w uint256.Int) bool { return slices.ContainsFunc(plainAnswers, w.Eq) }
	return s != nil && (s.Mode != input.Accept || slices.ContainsFunc(s.Answers, func(words []uint256.Int) bool {
		return slices.ContainsFunc(words, func(w uint256.Int) bool { return !plain(w) })
	}))
}

// answeredPlainly returns transactions in which the attacker's contract answers one
// number, encoded as the function that is asked returns it.
func answeredPlainly(s *search.Subject, run *runner, txs []input.Tx, answer *uint256.Int) []input.Tx {
	txs = slices.Clone(txs)
	for i := range txs {
		txs[i].Script = plainScript(txs[i].Script, answer)
	}
	at := run.start
	for i := range txs {
		tx := &txs[i]
		words := tx.Script.Answers[0]
		next, questions := asked(s, run, at, tx)
		for k := 0; k < plainRounds && slices.ContainsFunc(questions, question.returnsData); k++ {
			answers := make([][]uint256.Int, len(questions))
			for n, q := range questions {
				answers[n] = q.plainAnswer(words)
			}
			if slices.EqualFunc(answers, tx.Script.Answers, slices.Equal[[]uint256.Int]) {
				break
			}
			tx.Script = &input.Script{Mode: input.Accept, Answers: answers}
			next, questions = asked(s, run, at, tx)
		}
		at = next
	}
	return txs
}

// plainScript is a script that answers one number.
func plainScript(s *input.Script, answer *uint256.Int) *input.Script {
	n := plainWords
	if s != nil {
		for _, words := range s.Answers {
			n = max(n, len(words))
		}
	}
	return &input.Script{Mode: input.Accept, Answers: [][]uint256.Int{slices.Repeat([]uint256.Int{*answer}, n)}}
}

// A question is a call of the attacker's contract.
type question struct {
	function *input.Function // nil: the project does not declare it
	elements int             // of the longest list among its arguments, up to input.MaxElements, if it returns data
	ofSender bool            // the transaction's sender is among its arguments
}

// asked executes a transaction. It returns the state after it, and the calls of the
// attacker's contract, in order.
func asked(s *search.Subject, run *runner, at exec.State, tx *input.Tx) (after exec.State, list []question) {
	after, _ = run.advance(at, tx, &evm.Hooks{Ops: []byte{}, Enter: func(f *evm.Frame) {
		if who := input.Attacker.Address(); f.To == who && f.From != who && len(f.Input) > 0 {
			declared, _ := selected(s, nil, f.Input)
			sender := tx.From.Address()
			q := question{function: declared, ofSender: bytes.Contains(f.Input, sender[:])}
			if q.returnsData() {
				q.elements = longest(declared, f.Input)
			}
			list = append(list, q)
		}
	}})
	return after, list
}

// permits reports whether the answer is a permission: whether the sender may do something.
func (q question) permits() bool {
	return q.function != nil && q.ofSender && q.function.Constant() && len(q.function.Outputs) == 1 && q.function.Outputs[0].Type.Kind == input.KindBool
}

// refused returns transactions in which the attacker's contract gives no permissions; false if
// nothing asks it for any.
func refused(s *search.Subject, run *runner, txs []input.Tx) (_ []input.Tx, asks bool) {
	txs = slices.Clone(txs)
	at := run.start
	for i := range txs {
		next, questions := asked(s, run, at, &txs[i])
		if at = next; !slices.ContainsFunc(questions, question.permits) {
			continue
		}
		asks = true
		script := input.Script{}
		if txs[i].Script != nil {
			script = *txs[i].Script
		}
		answers := script.Answers
		if len(answers) == 0 {
			answers = [][]uint256.Int{{*plainAnswers[0]}}
		}
		script.Answers = make([][]uint256.Int, len(questions))
		for n, q := range questions {
			if script.Answers[n] = answers[min(n, len(answers)-1)]; q.permits() {
				script.Answers[n] = []uint256.Int{{}}
			}
		}
		txs[i].Script = &script
	}
	return txs, asks
}

// longest returns the number of elements of the longest list among the arguments of a call.
func longest(f *input.Function, calldata []byte) (elements int) {
	args, err := input.DecodeCalldata(f, calldata)
	if err != nil {
		return 0
	}
	for i := range args {
		if args[i].Type.Kind == input.KindSlice {
			elements = max(elements, min(len(args[i].Elems), input.MaxElements))
		}
	}
	return elements
}

// returnsData reports whether a function returns values that are not encoded as words
// in place.
func (q question) returnsData() bool {
	return q.function != nil && slices.ContainsFunc(q.function.Outputs, func(field input.Field) bool { return field.Type.Dynamic() })
}

// plainAnswer returns what a function returns if all its numbers are the first one of some
// words; these for a function of which words are an answer.
func (q question) plainAnswer(words []uint256.Int) []uint256.Int {
	if !q.returnsData() {
		return words
	}
	values := make([]input.Value, len(q.function.Outputs))
	for i, field := range q.function.Outputs {
		values[i] = plainValue(field.Type, words[0], max(q.elements, 1))
	}
	data := input.AppendValues(nil, values)
	encoded := make([]uint256.Int, len(data)/32)
	for i := range encoded {
		encoded[i].SetBytes(data[32*i : 32*i+32])
	}
	return encoded
}

// plainValue returns a value of a type with a number in it: in lists some elements, as
// functions return one for each that they are asked for, in bytes one word.
func plainValue(t *input.Type, number uint256.Int, elements int) input.Value {
	v := input.Zero(t)
	switch t.Kind {
	case input.KindBytes:
		word := number.Bytes32()
		v.Data = word[:]
	case input.KindString:
		v.Data = []byte(number.Dec())
	case input.KindSlice:
		v.Elems = slices.Repeat([]input.Value{plainValue(t.Elem, number, 1)}, elements)
	case input.KindArray:
		for i := range v.Elems {
			v.Elems[i] = plainValue(t.Elem, number, elements)
		}
	case input.KindTuple:
		for i := range v.Elems {
			v.Elems[i] = plainValue(t.Fields[i].Type, number, elements)
		}
	case input.KindBool:
		v.Word.SetOne()
	case input.KindUint, input.KindInt:
		if v.Word = number; number.BitLen() >= t.Size {
			v.Word.SetOne()
		}
	case input.KindAddress:
		v.Word = number
	}
	return v
}
