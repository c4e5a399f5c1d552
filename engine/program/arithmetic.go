package program

import (
	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/oracle"
	"leveret/solc"
)

// mayWrap are the opcodes that compilers emit for arithmetic.
var mayWrap = map[byte]bool{
	bytecode.ADD: true, bytecode.SUB: true, bytecode.MUL: true, bytecode.EXP: true, bytecode.SHL: true,
	bytecode.AND: true, bytecode.SIGNEXTEND: true,
}

// Arithmetic lists the unchecked arithmetic instructions of code. Most contracts
// since 0.8 have none. Callers do not change the list.
func (p *Program) Arithmetic(code *evm.Code) []cover.Arith {
	o := p.InfoOf(code)
	if o.Contract == nil {
		return nil
	}
	o.arithmetic.Do(func() { o.arithmetic.list = p.arithmetic(o, code) })
	return o.arithmetic.list
}

func (p *Program) arithmetic(o *CodeInfo, code *evm.Code) (list []cover.Arith) {
	var made []cover.Arith // by the compiler, according to the source map
	for i := range o.PCs.Count() {
		pc, _ := o.PCs.IndexPC(i)
		op := code.Bytes[pc]
		if !mayWrap[op] {
			continue
		}
		at := p.Sources.At(oracle.Site{Code: code, PC: uint64(pc)})
		switch {
		case !at.Mapped && !oracle.Masks(op):
		case !at.Mapped || at.Imprecise():
			made = append(made, cover.Arith{PC: uint32(pc), Op: op})
		case p.Sources.MayCut(at, op):
			list = append(list, cover.Arith{PC: uint32(pc), Operator: cover.Cut, Op: op})
		case at.Operates:
			list = append(list, watched(uint32(pc), &at.Operation))
		}
	}
	return append(list, suspected(made, o.Contract.Build)...)
}

func watched(pc uint32, o *oracle.Operation) cover.Arith {
	return cover.Arith{PC: pc, Operator: o.Operator, Op: o.Op, Bits: o.Bits, Signed: o.Signed}
}

// suspected returns the instructions without a source of their own that may
// implement arithmetic of the source. Compilers clear upper bits in functions of
// their own, and the IR pipeline does all arithmetic in such functions.
func suspected(made []cover.Arith, b *solc.Build) (list []cover.Arith) {
	if len(made) == 0 {
		return nil
	}
	var masked cover.Widths
	does := map[byte]*cover.Arith{}
	for _, source := range b.Sources {
		if source != nil && source.Unit != nil {
			oracle.Narrowings(source.Unit.Root, masked.Add)
			operations(does, source)
		}
	}
	for _, m := range made {
		o, ok := does[m.Op]
		switch {
		case oracle.Masks(m.Op) && masked != 0:
			m.Operator, m.Widths = cover.Cut, masked
			list = append(list, m)
		case ok:
			at := *o
			at.PC = m.PC
			list = append(list, at)
		}
	}
	return list
}

// operations adds the operations of a source, for each opcode the one of the widest type,
// with the widths of all unsigned ones.
func operations(does map[byte]*cover.Arith, source *solc.Source) {
	oracle.Operations(source.Unit.Root, func(o oracle.Operation) {
		known, ok := does[o.Op]
		if a := watched(0, &o); !ok {
			does[o.Op], known = &a, &a
		} else if o.Bits > known.Bits {
			a.Widths = known.Widths
			*known = a
		}
		if !o.Signed {
			known.Widths.Add(o.Bits)
		}
	})
}
