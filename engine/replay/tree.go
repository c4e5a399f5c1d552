package replay

import (
	"slices"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"
)

// maxIndent bounds the depth of nested calls and statements.
const maxIndent = 20

// A Node is a line of a Trace: a transaction or, in the Nodes of another one, an
// effect of it.
type Node struct {
	Text  string
	Place *finding.Place // source; nil: none
	Here  string         // the oracle's name if this is the blamed step
	Nodes []Node         // effects, in order
	After []string       // of a transaction: what it moved in the end
	At    int            // instruction of the transaction, from 0, which this is about; negative: none
}

// Tree returns the transactions as trees of calls.
func (t *Trace) Tree(v View) []Node {
	var nodes []Node
	n := 0
	for i := range t.Txs {
		tx := &t.Txs[i]
		if !tx.Check {
			n++
		}
		nodes = append(nodes, v.transaction(tx.heading(n), tx))
	}
	return nodes
}

func (v View) transaction(heading string, tx *Tx) Node {
	f := tx.Root
	if f == nil {
		return Node{Text: heading, At: -1}
	}
	n := Node{Text: heading + gas(f), Place: f.Place, At: f.Began}
	ends := f.ending()
	if len(v.items(f)) == 0 && ends.Text == "" {
		ends.Text = "succeeds"
	}
	n.Nodes = v.inside(f, 0, ends)
	for _, m := range tx.Moves {
		n.After = append(n.After, "moved "+m.String())
	}
	if tx.Omitted {
		n.After = append(n.After, "More happened than is shown.")
	}
	return n
}

// inside returns the items of a frame, then its end.
func (v View) inside(f *Frame, depth int, ends Node) []Node {
	var nodes []Node
	for _, i := range v.items(f) {
		nodes = append(nodes, v.item(&i, depth))
	}
	if ends.Text != "" {
		nodes = append(nodes, ends)
	}
	return nodes
}

// items returns the effects of a frame that are shown.
func (v View) items(f *Frame) []Item {
	if v.Writes {
		return f.Items
	}
	return slices.DeleteFunc(slices.Clone(f.Items), func(i Item) bool { return i.Kind == ItemWrite })
}

func (v View) item(i *Item, depth int) Node {
	n := Node{Place: i.Place, Here: i.Here, At: i.At}
	switch i.Kind {
	case ItemEvent:
		n.Text = "emit " + i.Name + inBrackets(i.Args)
	case ItemWrite:
		n.Text = i.Name + ": " + i.Before + " → " + i.After
	case ItemHere:
		n.Text = "passes here"
	case ItemCall:
		return v.call(i.Call, n, depth+1)
	}
	return n
}

// call describes a frame; an empty one has no nodes.
func (v View) call(f *Frame, n Node, depth int) Node {
	n.Text = f.sentence()
	ends := f.ending()
	if len(v.items(f)) == 0 && (f.Status == evm.Success || f.Failed == nil) {
		if values, returned := strings.CutPrefix(ends.Text, "returns "); returned {
			n.Text += " → " + values
		} else if ends.Text != "" {
			n.Text += ": " + ends.Text
		}
		if v.Gas && f.Gas > 0 {
			n.Text += gas(f)
		}
		if n.Here == "" {
			n.Here = ends.Here
		}
		return n
	}
	n.Text += gas(f)
	if depth >= maxIndent {
		n.Nodes = []Node{{Text: "… calls deeper than this are not drawn", At: -1}}
		return n
	}
	n.Nodes = v.inside(f, depth, ends)
	return n
}
