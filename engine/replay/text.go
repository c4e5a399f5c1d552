package replay

import (
	"fmt"
	"slices"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"

	"github.com/dustin/go-humanize"
)

// Width is the number of columns of Lines unless a word is longer.
const Width = 120

// maxIndent bounds the indentation of nested calls.
const maxIndent = 20

// A Line is one line of a Trace as text.
type Line struct {
	Text  string
	Place *finding.Place // source of the line; nil: none
	Here  bool           // the blamed step
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
	n := 0
	for i := range t.Txs {
		tx := &t.Txs[i]
		if len(d.rows) > 0 {
			d.rows = append(d.rows, row{})
		}
		if !tx.Check {
			n++
		}
		d.tx(tx.heading(n), tx)
	}
	return d.layOut()
}

// A row is a line before the widths of all lines are known.
type row struct {
	first, rest string // indentation of its first line and of the wrapped rest
	text        string
	place       *finding.Place
	here        string
}

type drawing struct {
	View
	rows []row
}

func (d *drawing) tx(heading string, tx *Tx) {
	f := tx.Root
	if f == nil {
		d.rows = append(d.rows, row{text: heading})
		return
	}
	d.rows = append(d.rows, row{text: heading + gas(f), place: f.Place, rest: "   "})
	ends := f.ending()
	if len(d.items(f)) == 0 && ends.text == "" {
		ends.text = "succeeds"
	}
	d.inside(f, "   ", ends)
	for _, m := range tx.Moves {
		d.rows = append(d.rows, row{first: "   ", rest: "     ", text: "moved " + m.String()})
	}
	if tx.Omitted {
		d.rows = append(d.rows, row{first: "   ", text: "More happened than is shown."})
	}
}

// inside formats the items of a frame, then its end.
func (d *drawing) inside(f *Frame, indent string, ends row) {
	items := d.items(f)
	for i := range items {
		last := i == len(items)-1 && ends.text == ""
		d.item(&items[i], indent, last)
	}
	if ends.text != "" {
		ends.first, ends.rest = indent+"└─ ", indent+"     "
		d.rows = append(d.rows, ends)
	}
}

// items returns the effects of a frame that are shown.
func (d *drawing) items(f *Frame) []Item {
	if d.Writes {
		return f.Items
	}
	return slices.DeleteFunc(slices.Clone(f.Items), func(i Item) bool { return i.Kind == ItemWrite })
}

func (d *drawing) item(i *Item, indent string, last bool) {
	r := row{first: indent + "├─ ", rest: indent + "│    ", place: i.Place, here: i.Here}
	below := indent + "│  "
	if last {
		r.first, r.rest, below = indent+"└─ ", indent+"     ", indent+"   "
	}
	switch i.Kind {
	case ItemEvent:
		r.text = "emit " + i.Name + inBrackets(i.Args)
	case ItemWrite:
		r.text = i.Name + ": " + i.Before + " → " + i.After
	case ItemHere:
		r.text = "passes here"
	case ItemCall:
		d.call(i.Call, r, below)
		return
	}
	d.rows = append(d.rows, r)
}

// call formats a frame; an empty one takes a single line.
func (d *drawing) call(f *Frame, r row, below string) {
	r.text = f.sentence()
	ends := f.ending()
	if len(d.items(f)) == 0 && (f.Status == evm.Success || f.Failed == nil) {
		if values, returned := strings.CutPrefix(ends.text, "returns "); returned {
			r.text += " → " + values
		} else if ends.text != "" {
			r.text += ": " + ends.text
		}
		if d.Gas && f.Gas > 0 {
			r.text += gas(f)
		}
		if r.here == "" {
			r.here = ends.here
		}
		d.rows = append(d.rows, r)
		return
	}
	r.text += gas(f)
	d.rows = append(d.rows, r)
	if strings.Count(below, "")/3 > maxIndent {
		d.rows = append(d.rows, row{first: below + "└─ ", text: "… calls deeper than this are not drawn"})
		return
	}
	d.inside(f, below, ends)
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
func (f *Frame) ending() row {
	r := row{place: f.Failed, here: f.Here}
	switch {
	case f.Status == evm.Success && len(f.Returns) == 1 && f.Returns[0].Name == "":
		r.text, r.place = "returns "+f.Returns[0].Value, nil
	case f.Status == evm.Success && len(f.Returns) > 0:
		r.text, r.place = "returns "+inBrackets(f.Returns), nil
	case f.Status == evm.Success:
	case f.Passed:
		r.text = "reverts with the same"
	case f.Status == evm.Revert && f.Reason == "":
		r.text = "reverts without a reason"
	case f.Status == evm.Revert:
		r.text = "reverts: " + f.Reason
	default:
		r.text = "halts: " + f.Reason
	}
	return r
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
