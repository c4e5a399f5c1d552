package debug

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
)

// A StackFrame is a function that runs at a position: an internal call, or the
// outermost one of a frame of the EVM. It is valid until the Session moves.
type StackFrame struct {
	Name  string        // "Vault.withdraw"; of code without source, the address
	Place finding.Place // of the statement that runs; without a File: none is known
	Shown finding.Place // Place, or of the expression in it if the statement has begun
	Text  string        // of the statement
	PC    uint64        // of the instruction, or of the one that called the next function
	Frame *evm.Frame
	Entry uint64 // pc of the first instruction of the function; 0 for the outermost one
	Base  int    // words on the stack of the frame before Entry ran
	Outer bool   // it is the outermost function of its frame

	depth   uint32
	number  int // Frame.Number and Frame.Self, which an execution of another position changes
	self    common.Address
	running activation
}

// Stack returns the functions that run at the position, the innermost first, without
// those of the compiler.
func (s *Session) Stack() ([]StackFrame, error) {
	l, err := s.here()
	if err != nil {
		return nil, err
	}
	i := s.entryBefore(s.at)
	begins := i >= 0 && s.entries[i].at == s.at // the innermost function, its statement
	var list []StackFrame
	depth := l.depth
	for i := len(l.open) - 1; i >= 0; i-- {
		f := &l.open[i]
		if f.Code == nil {
			continue
		}
		pc := f.pc // of a CALL
		if i < len(l.open)-1 {
			pc = s.Machine.View().PC(f.Frame)
		}
		inner := len(list) // without the functions of this frame, which its dispatcher calls
		for k := len(f.activations) - 1; k >= 0; k-- {
			whole := f.whole(k)
			a := f.part(whole, k)
			if frame, ok := s.describe(f, a, whole == 0, pc); ok && (whole > 0 || a.statement >= 0 || len(list) == inner) {
				frame.depth, frame.Shown = depth, frame.Place
				if name := s.functionOf(f.codes, f.activations[whole].entry, a.statement); whole < k && name != "" {
					frame.Name = name
				}
				if place, ok := s.PlaceOf(f.Code, pc); ok && !(begins && len(list) == 0) {
					frame.Shown = place
				}
				list = append(list, frame)
			}
			depth--
			k, pc = whole, f.activations[whole].call
		}
	}
	return list, nil
}

// part returns the innermost part of an activation that has a statement, up to one with
// an index; the innermost one if none has.
func (f *openFrame) part(whole, innermost int) *activation {
	for i := innermost; i >= whole; i-- {
		if f.activations[i].statement >= 0 {
			return &f.activations[i]
		}
	}
	return &f.activations[innermost]
}

// describe returns the frame of an activation; false if it is one of the compiler's
// functions.
func (s *Session) describe(f *openFrame, a *activation, outer bool, pc uint64) (StackFrame, bool) {
	frame := StackFrame{PC: pc, Frame: f.Frame, Entry: a.entry, Base: a.height, Outer: outer, number: f.Number, self: f.Self, running: *a}
	if a.statement >= 0 {
		st := &s.statements[a.statement]
		frame.Place, frame.Text = st.Place, st.Text
	}
	frame.Name = s.functionOf(f.codes, a.entry, a.statement)
	switch {
	case outer && (frame.Name == "" || a.statement < 0):
		frame.Name = s.called(f)
		if a.statement < 0 {
			if node := s.contractAt(f.Code); node != nil {
				frame.Place = s.nameOf(f.Code, node)
			}
		}
	case frame.Name == "":
		return StackFrame{}, false
	case a.statement < 0:
		if place, ok := s.functionPlace(f.Code, a.entry); ok {
			frame.Place = place
		} else {
			return StackFrame{}, false
		}
	}
	return frame, true
}

// PlaceOf returns the expression or statement that an instruction stands for; false if
// it is the compiler's own.
func (r *Recording) PlaceOf(code *evm.Code, pc uint64) (finding.Place, bool) {
	l := r.Resolver.Locate(code, pc)
	if l == nil || l.Whole || l.Place.File == "" {
		return finding.Place{}, false
	}
	return l.Place, true
}

// contractAt returns the contract of a code; nil if it has no source.
func (r *Recording) contractAt(code *evm.Code) *solc.Contract { return r.Program.InfoOf(code).Contract }

// nameOf returns the place of the name of a contract.
func (r *Recording) nameOf(code *evm.Code, c *solc.Contract) finding.Place {
	if c.Node == nil {
		return finding.Place{}
	}
	if source := c.Build.SpanSource(c.Node.Span); source != nil {
		return r.Program.PlaceOf(source, c.Node.NameSpan(source.Text))
	}
	return finding.Place{}
}

// functionPlace returns the place of the name of the function that begins at a pc.
func (r *Recording) functionPlace(code *evm.Code, pc uint64) (finding.Place, bool) {
	l, ok := r.Program.LocateSite(oracle.Site{Code: code, PC: pc})
	if !ok || l.Node == nil {
		return finding.Place{}, false
	}
	f := l.Node.Enclosing(ast.FunctionDefinition, ast.ModifierDefinition)
	if f == nil {
		return finding.Place{}, false
	}
	return r.Program.PlaceOf(l.Source, f.NameSpan(l.Source.Text)), true
}

// called names what a frame calls: "Vault.deposit", or the account.
func (r *Recording) called(f *openFrame) string {
	contract := r.name(f.To)
	if c := r.contractAt(f.Code); c != nil {
		contract = c.Name
	}
	if f.Code.Init {
		return contract + ".constructor"
	}
	if r.Resolver.Function != nil {
		if function, _ := r.Resolver.Function(f.Code, f.Input); function != nil {
			return contract + "." + function.Name
		}
	}
	return contract
}
