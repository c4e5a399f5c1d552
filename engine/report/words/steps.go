// Package words puts witnesses, values and numbers into words for reports.
// How a report looks, and what a text may contain, is decided elsewhere.
package words

import (
	"fmt"
	"strconv"
	"strings"

	"leveret/engine/input"
	"leveret/engine/mock"

	"github.com/dustin/go-humanize/english"
	"github.com/holiman/uint256"
)

// A Step describes one transaction of a witness.
type Step struct {
	Text string // "user1 calls deposit(amount: 5), sending 1 ether"
	When string // "12 blocks (2 min 24 s) later"; empty if at once
}

// A Made is a step of a deployment.
type Made struct {
	Text string
	Of   *input.Creation // that it is, or sets up; nil: the fork that the deployment begins with
}

// Creations describes the deployment of a witness.
func Creations(s input.Sequence) (texts []string) {
	for _, made := range Deployment(s) {
		texts = append(texts, made.Text)
	}
	return texts
}

// Deployment lists the steps of the deployment of a witness.
func Deployment(s input.Sequence) (steps []Made) {
	if s.Deployment == nil {
		return nil
	}
	w := newWording(s)
	if s.Deployment.Fork != nil {
		steps = append(steps, Made{Text: s.Deployment.Fork.String()})
	}
	for i := range s.Deployment.Creations {
		c := &s.Deployment.Creations[i]
		var args []string
		for _, a := range c.Args {
			args = append(args, w.value(a))
		}
		text := c.Maker() + " creates " + c.Made("("+strings.Join(args, ", ")+")")
		if !c.Value.IsZero() {
			text += ", sending " + ether(&c.Value)
		}
		steps = append(steps, Made{text, c})
		for calls := c.Setup; len(calls) > 0; {
			text, n := w.told(calls)
			if n < 2 {
				text, n = w.call(calls[0], true), 1
			}
			steps = append(steps, Made{text, c})
			calls = calls[n:]
		}
	}
	return steps
}

// told describes the first calls, n of them, that tell one mock the results of functions.
func (w wording) told(calls []input.Tx) (text string, n int) {
	functions := map[uint256.Int]bool{}
	for ; n < len(calls); n++ {
		tx := &calls[n]
		if f := tx.Function; f == nil || f.Signature != mock.AnswerSignature || tx.To != calls[0].To || tx.From != calls[0].From {
			break
		}
		functions[tx.Args[0].Word] = true
	}
	from, to := w.Address(calls[0].From.Address()), w.Address(calls[0].To)
	return fmt.Sprintf("%s tells %s the results of %s", from, to, english.Plural(len(functions), "function", "")), n
}

// Steps describes the transactions of a witness.
func Steps(s input.Sequence) []Step {
	w := newWording(s)
	several := s.Deployment != nil && len(s.Deployment.Creations) > 1
	var out []Step
	for _, tx := range s.Txs {
		out = append(out, Step{w.call(tx, several), later(tx.Delay)})
	}
	return out
}

// Sentences describes the deployment and the transactions of a witness.
func Sentences(s input.Sequence) []string {
	out := Creations(s)
	for _, step := range Steps(s) {
		out = append(out, step.Sentence())
	}
	return out
}

// call describes a Tx, with the contract's name if target is set.
func (w wording) call(tx input.Tx, target bool) string {
	if tx.Function.Forces() {
		return w.Address(tx.From.Address()) + " forces " + ether(&tx.Value) + " on " + w.Address(tx.To) + ", as by selfdestruct"
	}
	text := w.Address(tx.From.Address()) + " calls "
	if target {
		text += w.Address(tx.To) + "."
	}
	switch f := tx.Function; {
	case f == nil:
		text += "with data " + shortBytes(tx.Data)
	case f.Raw && len(tx.Data) == 0:
		text += f.Name + "()"
	case f.Raw:
		text += f.Name + "() with data " + shortBytes(tx.Data)
	default:
		text += f.Name + "(" + w.fields(f.Inputs, tx.Args) + ")"
	}
	if !tx.Value.IsZero() {
		text += ", sending " + ether(&tx.Value)
	}
	return text + w.agent(tx.Script)
}

// agent describes what the attacker's contract does when called.
func (w wording) agent(s *input.Script) string {
	if s == nil {
		return ""
	}
	text := ""
	switch s.Mode {
	case input.Refuse:
		text = "; the attacker's contract reverts when called"
	case input.BurnGas:
		text = "; the attacker's contract uses up all gas when called"
	case input.Reenter:
		text = "; the attacker's contract, when called, "
		for i := range s.Calls {
			if i > 0 {
				text += "; then "
			}
			text += w.reentry(&s.Calls[i])
		}
		if len(s.Calls) == 0 {
			text += "accepts it"
		}
	}
	return text + s.DescribeAnswers("; the attacker's contract returns ")
}

// reentry describes a re-entrant call.
func (w wording) reentry(r *input.Reentry) string {
	text := "calls " + w.Address(r.Tx.To)
	if f := r.Tx.Function; f != nil && !f.Raw {
		text += "." + f.Name + "(" + w.fields(f.Inputs, r.Tx.Args) + ")"
	} else {
		text += w.calldata(r.Tx.Data)
	}
	if !r.Tx.Value.IsZero() {
		text += ", sending " + ether(&r.Tx.Value)
	}
	if r.First > 1 {
		text += ", from call " + strconv.Itoa(r.First) + " on"
	}
	if r.Times > 1 {
		text += ", up to " + english.Plural(r.Times, "time", "")
	}
	return text
}

// calldata describes raw calldata: as a call of a function of the witness, or as
// bytes.
func (w wording) calldata(data []byte) string {
	for _, f := range w.functions {
		if len(data) < 4 || f.Raw || f.Selector != [4]byte(data) {
			continue
		}
		if args, err := input.DecodeCalldata(f, data); err == nil {
			return "." + f.Name + "(" + w.fields(f.Inputs, args) + ")"
		}
	}
	return " with data " + shortBytes(data)
}

// later describes a delay.
func later(d input.Delay) string {
	switch {
	case d.Blocks == 0 && d.Seconds == 0:
		return ""
	case d.Seconds == 0:
		return english.Plural(int(d.Blocks), "block", "") + " later"
	case d.Blocks == 0:
		return duration(d.Seconds) + " later"
	}
	return english.Plural(int(d.Blocks), "block", "") + " (" + duration(d.Seconds) + ") later"
}

// duration formats seconds in at most two units.
func duration(seconds uint64) string {
	var parts []string
	for _, unit := range []struct {
		noun string
		size uint64
	}{{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}} {
		if n := seconds / unit.size; n > 0 {
			parts = append(parts, english.Plural(int(n), unit.noun, ""))
			seconds %= unit.size
		}
		if len(parts) == 2 && seconds > 0 {
			return "about " + strings.Join(parts, " ")
		}
	}
	return strings.Join(parts, " ")
}

// Sentence is the step in one line.
func (s Step) Sentence() string {
	if s.When == "" {
		return s.Text
	}
	return s.When + ", " + s.Text
}
