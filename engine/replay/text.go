package replay

import (
	"fmt"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"

	"github.com/dustin/go-humanize"
)

// Width is the number of columns of Lines unless a word is longer.
const Width = 120

// A Line is one line of a Trace as text.
type Line struct {
	Text  string
	Place *finding.Place // source of the line; nil: none
	Here  bool           // the blamed step
	Stop  *Stop          // where a debugger can stand; nil: nowhere
}

// String returns the Lines as one text.
func (t *Trace) String() string { return Join(t.Lines(Full(nil))) }

// Join puts Lines together.
func Join(lines []Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// A View chooses what Lines shows.
type View struct {
	File   func(finding.Place) string // displayed file name of a place; nil: its source unit name
	Gas    bool                       // of all calls that ran code
	Writes bool                       // show changes of storage
}

// Full is a View of all effects.
func Full(file func(finding.Place) string) View { return View{File: file, Writes: true} }

// Lines formats the Trace as a tree of calls.
func (t *Trace) Lines(v View) []Line {
	d := drawing{View: v}
	for _, s := range t.Deployment {
		d.rows = append(d.rows, row{text: s})
	}
	for i, tx := range t.Tree(v) {
		if len(d.rows) > 0 {
			d.rows = append(d.rows, row{})
		}
		d.stop = Stop{Tx: t.Txs[i].Number}
		d.rows = append(d.rows, row{text: tx.Text, place: tx.Place, rest: "   ", stop: d.next(tx.At)})
		d.inside(tx.Nodes, "   ")
		for _, text := range tx.After {
			d.rows = append(d.rows, row{first: "   ", rest: "     ", text: text})
		}
	}
	return d.layOut()
}

// A row is a line before the widths of all lines are known.
type row struct {
	first, rest string // indentation of its first line and of the wrapped rest
	text        string
	place       *finding.Place
	here        string
	stop        *Stop
}

type drawing struct {
	View
	rows []row
	stop Stop // of the next row
}

// next returns the Stop of a row that is about an instruction of the transaction.
func (d *drawing) next(instruction int) *Stop {
	stop := d.stop
	d.stop.Line++
	if stop.Instruction = instruction; instruction < 0 {
		return nil
	}
	return &stop
}

// inside draws the nodes below another one.
func (d *drawing) inside(nodes []Node, indent string) {
	for i, n := range nodes {
		r := row{first: indent + "├─ ", rest: indent + "│    ", text: n.Text, place: n.Place, here: n.Here, stop: d.next(n.At)}
		below := indent + "│  "
		if i == len(nodes)-1 {
			r.first, r.rest, below = indent+"└─ ", indent+"     ", indent+"   "
		}
		d.rows = append(d.rows, r)
		d.inside(n.Nodes, below)
	}
}

// heading describes a Tx in one numbered sentence.
func (tx *Tx) heading(n int) string {
	call := tx.Call
	if f := tx.Root; f != nil && f.Function != "" && !tx.Check {
		call = f.From + " calls " + f.sentence()
	}
	if !tx.Check {
		call = fmt.Sprintf("%d. %s", n, call)
	}
	return call + tx.More
}

// hardSpace is a space that never breaks a line.
const hardSpace = "\u00a0"

func gas(f *Frame) string { return "  (" + humanize.Comma(int64(f.Gas)) + hardSpace + "gas)" }

// verbs are the kinds of frames in words; a plain call needs none.
var verbs = map[evm.FrameKind]string{
	evm.FrameCallCode: "callcode ", evm.FrameDelegateCall: "delegatecall ", evm.FrameStaticCall: "staticcall ",
	evm.FrameCreate: "new ", evm.FrameCreate2: "new ",
}

// sentence describes a frame: "Token.transfer(to: user1, amount: 5)".
func (f *Frame) sentence() string {
	if f.Kind == evm.FrameSelfDestruct {
		return "selfdestruct: " + wei(&f.Wei) + " to " + f.To
	}
	var b strings.Builder
	b.WriteString(verbs[f.Kind])
	created := f.Kind == evm.FrameCreate || f.Kind == evm.FrameCreate2
	switch {
	case created && f.Contract != "":
		b.WriteString(f.Contract + inBrackets(f.Args))
	case created:
		b.WriteString("contract" + inBrackets(f.Args))
	case f.Function == "" && f.Contract != "":
		b.WriteString(f.Contract)
	case f.Function == "" && f.Data == "" && f.Wei.IsZero():
		return "calls " + f.To
	case f.Function == "" && f.Data == "":
		return "sends " + wei(&f.Wei) + " to " + f.To
	case f.Function == "":
		b.WriteString(f.To)
	default:
		b.WriteString(f.To + "." + f.Function + inBrackets(f.Args))
	}
	if f.Data != "" {
		b.WriteString(" with data " + f.Data)
	}
	if !f.Wei.IsZero() && f.Kind != evm.FrameDelegateCall {
		b.WriteString(" with " + wei(&f.Wei))
	}
	if created {
		b.WriteString(" at " + f.To)
	}
	if f.Self != "" && f.Kind != evm.FrameCallCode && !created {
		b.WriteString(" for " + f.Self)
	}
	return b.String()
}

// ending describes how a frame ended; its text is empty for a plain success.
func (f *Frame) ending() Node {
	n := Node{Place: f.Failed, Here: f.Here, At: f.Ended}
	switch {
	case f.Status == evm.Success && len(f.Returns) == 1 && f.Returns[0].Name == "":
		n.Text, n.Place = "returns "+f.Returns[0].Value, nil
	case f.Status == evm.Success && len(f.Returns) > 0:
		n.Text, n.Place = "returns "+inBrackets(f.Returns), nil
	case f.Status == evm.Success:
	case f.Passed:
		n.Text = "reverts with the same"
	case f.Status == evm.Revert && f.Reason == "":
		n.Text = "reverts without a reason"
	case f.Status == evm.Revert:
		n.Text = "reverts: " + f.Reason
	default:
		n.Text = "halts: " + f.Reason
	}
	return n
}

// String describes the move: "1 ether: user1 → Vault".
func (m Move) String() string {
	what := m.Amount
	if m.Token != "" {
		what = m.Token + " " + m.Amount
	}
	return what + ": " + m.From + " → " + m.To
}

func inBrackets(args []Argument) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a.Value
		if a.Name != "" {
			parts[i] = a.Name + ": " + a.Value
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
