package engine

import (
	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/oracle"
	"leveret/solc"
)

// mayWrap are the opcodes that compilers make the user's arithmetic of.
var mayWrap = map[byte]bool{
	bytecode.ADD: true, bytecode.SUB: true, bytecode.MUL: true, bytecode.EXP: true, bytecode.SHL: true,
	bytecode.AND: true, bytecode.SIGNEXTEND: true,
}

// arithmetic lists the instructions of code that may wrap unseen. There are
// none in most contracts since 0.8.
func (p *program) arithmetic(code *evm.Code) (list []cover.Arith) {
	o := p.owner(code)
	if o.contract == nil {
		return nil
	}
	var made []cover.Arith // by the compiler, for all that the source map tells
	for i := range o.pcs.Count() {
		pc, _ := o.pcs.IndexPC(i)
		op := code.Bytes[pc]
		if !mayWrap[op] {
			continue
		}
		b, ok := p.sourceOf(oracle.Site{Code: code, PC: uint64(pc)})
		switch {
		case !ok && !oracle.Masks(op):
		case !ok || b.Vague():
			made = append(made, cover.Arith{PC: uint32(pc), Op: op})
		case oracle.MayCut(b, op):
			list = append(list, cover.Arith{PC: uint32(pc), Operator: cover.Cut, Op: op})
		default:
			if does, ok := oracle.OperationAt(b, op); ok {
				list = append(list, watched(uint32(pc), &does))
			}
		}
	}
	return append(list, suspected(made, o.contract.Build)...)
}

func watched(pc uint32, o *oracle.Operation) cover.Arith {
	return cover.Arith{PC: pc, Operator: o.Operator, Op: o.Op, Bits: o.Bits, Signed: o.Signed}
}

// suspected returns those instructions that may do what the source says though
// they do not tell for what in it they stand. Compilers clear the upper bits
// where a number is used, in functions of their own; and the newer way of
// compiling, by way of Yul, does all arithmetic in such functions.
func suspected(made []cover.Arith, b *solc.Build) (list []cover.Arith) {
	if len(made) == 0 {
		return nil
	}
	var widths cover.Widths
	does := map[byte]oracle.Operation{}
	for _, source := range b.Sources {
		if source != nil && source.Unit != nil {
			oracle.Narrowings(source.Unit.Root, widths.Add)
			widest(does, source)
		}
	}
	for _, m := range made {
		o, ok := does[m.Op]
		switch {
		case oracle.Masks(m.Op) && widths != 0:
			m.Operator, m.Widths = cover.Cut, widths
			list = append(list, m)
		case ok:
			list = append(list, watched(m.PC, &o))
		}
	}
	return list
}

// widest adds the Operations of a source, for each instruction the one of the
// widest type.
func widest(does map[byte]oracle.Operation, source *solc.Source) {
	oracle.Operations(source.Unit.Root, func(o oracle.Operation) {
		if known, ok := does[o.Op]; !ok || o.Bits > known.Bits {
			does[o.Op] = o
		}
	})
}
