package shadow

import "github.com/ethereum/go-ethereum/common"

// inputs makes the words that come from outside of the code, in the graph of a transaction.
type inputs struct {
	g  *graph
	tx int // index of the transaction
}

// source is of with the only TaintSource of a kind.
func (in *inputs) source(k Kind) Set { return in.of(TaintSource{Kind: k}) }

// of returns the set of a TaintSource of the current transaction.
func (in *inputs) of(s TaintSource) Set {
	s.Tx = in.tx
	return in.g.sets.Of(s)
}

// own returns the aux value of a node of one TaintSource.
func (in *inputs) own(s TaintSource) uint32 {
	s.Tx = in.tx
	return uint32(in.g.sets.ID(s)) + 1
}

// address adds a node for an address.
func (in *inputs) address(a common.Address, data Set) ref {
	n := node{op: opSource, data: data, fixed: data == 0}
	n.val.SetBytes20(a[:])
	if data != 0 {
		n.bytes = addressBytes
	}
	return in.g.add(n)
}

const addressBytes = 1<<20 - 1

// chunks creates words of input: one of the first head bytes, then one per 32
// bytes.
func (in *inputs) chunks(input []byte, head int, kind Kind) []cell {
	cells := make([]cell, 0, len(input))
	for at := 0; at < len(input); {
		end := at + 32
		if at == 0 && head > 0 {
			end = head
		}
		end = min(end, len(input))
		data := in.of(TaintSource{Kind: kind, Offset: uint64(at)})
		n := chunk(input[at:end], data)
		n.aux = in.own(TaintSource{Kind: kind, Offset: uint64(at)})
		r := in.g.add(n)
		for i := range end - at {
			cells = append(cells, makeCell(r, i))
		}
		at = end
	}
	return cells
}

// A Span is a word of calldata whose place is known: it need not be a multiple of
// 32 bytes behind the selector, as within an encoding in bytes.
type Span struct {
	Offset, Size int
	Right        bool // the word is right-aligned
}

// spans creates words of input by Layout. What it leaves out is in words of up to 32
// bytes.
func (in *inputs) spans(input []byte, layout []Span) []cell {
	cells := make([]cell, 0, len(input))
	for at := 0; at < len(input); {
		for len(layout) > 0 && layout[0].Offset < at {
			layout = layout[1:]
		}
		s := Span{Offset: at, Size: min(32, len(input)-at)}
		switch {
		case len(layout) > 0 && layout[0].Offset == at && layout[0].Size > 0:
			s = layout[0]
			s.Size = min(s.Size, len(input)-at)
		case len(layout) > 0:
			s.Size = min(s.Size, layout[0].Offset-at)
		}
		cells = in.span(cells, input, s)
		at += s.Size
	}
	return cells
}

// span adds the cells of one word of calldata.
func (in *inputs) span(cells []cell, input []byte, s Span) []cell {
	source := TaintSource{Kind: FromCalldata, Offset: uint64(s.Offset)}
	n, first := chunk(input[s.Offset:s.Offset+s.Size], in.of(source)), 0
	if s.Right {
		first = 32 - s.Size
		n.val.Rsh(&n.val, uint(8*first))
		n.bytes >>= first
	}
	n.aux = in.own(source)
	r := in.g.add(n)
	for i := range s.Size {
		cells = append(cells, makeCell(r, first+i))
	}
	return cells
}

// chunk returns a node of up to 32 bytes, left-aligned.
func chunk(b []byte, data Set) node {
	n := node{op: opSource, data: data, fixed: data == 0}
	var padded [32]byte
	copy(padded[:], b)
	n.val.SetBytes32(padded[:])
	if data != 0 {
		n.bytes = everywhere << (32 - len(b))
	}
	return n
}

// holds marks a word as the balance of an account, which is its own source beside what
// was paid before.
func (in *inputs) holds(r ref, account common.Address) {
	in.g.nodes[r].aux = in.own(TaintSource{Kind: FromBalance, Address: account})
}
