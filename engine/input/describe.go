package input

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/ethereum/go-ethereum/common"
)

// Limits of values in Describe, which shortens longer ones; the sequence's text
// and JSON have the whole values.
const (
	longText  = 68 // bytes of strings
	longBytes = 36 // of other bytes: a selector and a word
	longList  = 16 // elements
)

// String describes the sequence, one line per Tx.
func (s Sequence) String() string { return strings.Join(s.Describe(nil), "\n") }

// String describes a fork.
func (f *Fork) String() string { return fmt.Sprintf("fork of chain %d at block %d", f.Chain, f.Block) }

// Describe returns a clause for the fork, and a sentence for each creation and
// each set-up call.
func (d *Deployment) Describe() []string {
	names := NewNames(d)
	var list []string
	if d.Fork != nil {
		list = append(list, d.Fork.String())
	}
	for i := range d.Creations {
		c := &d.Creations[i]
		args := make([]string, len(c.Args))
		for k := range c.Args {
			args[k] = names.Format(c.Args[k])
		}
		text := c.Maker() + " creates " + c.Made("("+strings.Join(args, ", ")+")")
		if !c.Value.IsZero() {
			text += " with " + FormatWei(&c.Value)
		}
		list = append(list, text)
		setup := Sequence{Deployment: d, Txs: c.Setup}
		list = append(list, setup.Describe(nil)...)
	}
	return list
}

// Describe describes each Tx: "user1 calls Vault.deposit(5) with 1 ether, 3
// blocks later". It finds functions that the attacker contract calls by abi or
// in the Txs of s, and prints the calldata of others.
func (s *Sequence) Describe(abi func(common.Address) *ABI) []string { return s.DescribeAs(nil, abi) }

// DescribeAs is Describe with names of addresses that precede those of actors and of
// the deployment.
func (s *Sequence) DescribeAs(labels map[common.Address]string, abi func(common.Address) *ABI) []string {
	names := NewNames(s.Deployment)
	names.brief, names.labels = true, labels
	lines := make([]string, len(s.Txs))
	for i := range s.Txs {
		tx := &s.Txs[i]
		line := names.describeCall(tx)
		if later := describeDelay(tx.Delay); later != "" {
			line += ", " + later + " later"
		}
		if tx.Script != nil {
			line += "; " + names.DescribeScript(s.typedScript(abi, tx.Script))
		}
		lines[i] = line
	}
	return lines
}

// Brief is Describe with equal Txs in a row in one line: "user1 calls Vault.poke()
// (12 times)".
func (s *Sequence) Brief() (lines []string) {
	for line, n := range Repeated(s.Describe(nil)) {
		lines = append(lines, line+times(n))
	}
	return lines
}

// Repeated yields the different lines of a list in order, each with the number of times that
// it follows itself.
func Repeated(lines []string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for at := 0; at < len(lines); {
			n := 1
			for at+n < len(lines) && lines[at+n] == lines[at] {
				n++
			}
			if !yield(lines[at], n) {
				return
			}
			at += n
		}
	}
}

// times is " (3 times)"; empty for 1.
func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", n)
}

func (n *Names) describeCall(tx *Tx) string {
	to := n.Address(tx.To)
	what := ""
	switch f := tx.Function; {
	case f.Forces():
		return fmt.Sprintf("%s forces %s on %s, as by selfdestruct", n.Address(tx.From.Address()), spacedWei(tx), to)
	case f == nil || f.Raw && len(tx.Data) > 0:
		what = string(n.appendBytes([]byte("sends "+to+" raw calldata "), tx.Data))
	case f.Raw && !tx.Value.IsZero():
		return fmt.Sprintf("%s sends %s to %s", n.Address(tx.From.Address()), spacedWei(tx), to)
	case f.Raw:
		what = "calls " + to + " without calldata"
	default:
		what = "calls " + to + "." + f.Name + string(n.appendList(nil, "()", tx.Args))
	}
	if !tx.Value.IsZero() {
		what += " with " + spacedWei(tx)
	}
	return n.Address(tx.From.Address()) + " " + what
}

// spacedWei is "1 ether".
func spacedWei(tx *Tx) string {
	s := FormatWei(&tx.Value)
	if unit := strings.IndexFunc(s, func(c rune) bool { return c >= 'a' }); unit > 0 {
		s = s[:unit] + " " + s[unit:]
	}
	return s
}

func describeDelay(d Delay) string {
	var parts []string
	if d.Blocks != 0 {
		parts = append(parts, fmt.Sprintf("%d %s", d.Blocks, english.PluralWord(int(d.Blocks), "block", "")))
	}
	if d.Seconds != 0 {
		parts = append(parts, fmt.Sprintf("%d %s", d.Seconds, english.PluralWord(int(d.Seconds), "second", "")))
	}
	return strings.Join(parts, " and ")
}

// typedScript is a script whose calls have functions, as far as they are known.
func (s *Sequence) typedScript(abi func(common.Address) *ABI, script *Script) *Script {
	typed := *script
	typed.Calls = slices.Clone(script.Calls)
	for i := range typed.Calls {
		typed.Calls[i].Tx = s.typed(abi, typed.Calls[i].Tx)
	}
	return &typed
}

// typed returns a re-entrant call with the function that its raw calldata calls, and
// the arguments.
func (s *Sequence) typed(abi func(common.Address) *ABI, call Tx) Tx {
	if call.Function != nil && !call.Function.Raw {
		return call
	}
	var f *Function
	if abi != nil {
		if a := abi(call.To); a != nil {
			f = a.Select(call.Data)
		}
	}
	for i := range s.Txs {
		if own := s.Txs[i].Function; f == nil && own != nil && !own.Raw && len(call.Data) >= 4 && own.Selector == [4]byte(call.Data) {
			f = own
		}
	}
	if f == nil || f.Raw {
		return call
	}
	if args, err := DecodeCalldata(f, call.Data); err == nil {
		call.Function, call.Args, call.Data = f, args, nil
	}
	return call
}

// DescribeScript describes a script of the attacker contract.
func (n *Names) DescribeScript(s *Script) string {
	const who = "the attacker's contract "
	text := ""
	switch s.Mode {
	case Refuse:
		text = who + "reverts when called"
	case BurnGas:
		text = who + "uses up all gas when called"
	case Reenter:
		text = who + "re-enters "
		for i := range s.Calls {
			if i > 0 {
				text += ", then "
			}
			text += n.describeReentry(&s.Calls[i])
		}
	default:
		text = who + "accepts calls"
	}
	return text + s.DescribeAnswers(" and returns ")
}

// DescribeAnswers describes what a Script returns, after some text; empty if it
// returns what is usual.
func (s *Script) DescribeAnswers(before string) string {
	answers := make([]string, len(s.Answers))
	for i, words := range s.Answers {
		list := make([]string, len(words))
		for k := range words {
			list[k] = words[k].Dec()
		}
		if answers[i] = strings.Join(list, ", "); len(words) == 0 {
			answers[i] = "nothing"
		}
	}
	if len(answers) == 0 {
		return ""
	}
	return before + strings.Join(answers, ", then ")
}

func (n *Names) describeReentry(r *Reentry) string {
	tx := &r.Tx
	text := n.Address(tx.To)
	switch f := tx.Function; {
	case f != nil && !f.Raw:
		text += "." + f.Name + string(n.appendList(nil, "()", tx.Args))
	case len(tx.Data) > 0:
		text += string(n.appendBytes([]byte(" with calldata "), tx.Data))
	}
	if !tx.Value.IsZero() {
		text += " with " + spacedWei(tx)
	}
	if r.First > 1 {
		text += fmt.Sprintf(" from call %d on", r.First)
	}
	if r.Times > 1 {
		text += fmt.Sprintf(", %d times deep", r.Times)
	}
	return text
}
