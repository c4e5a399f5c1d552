package replay

import (
	"fmt"
	"strconv"
	"strings"

	"leveret/engine/finding"
)

// A Stop is where a debugger can stand for a line of a Trace: before the first instruction
// of a call, and before the one that changes storage, emits an event or ends a call.
type Stop struct {
	Tx          int  // Number of the transaction
	Line        int  // of the transaction, which is 0; of its Steps, from 1, if Statement
	Statement   bool // of the list of Steps
	Instruction int  // of the transaction, from 0
}

// String names the Stop: "3.2" is the second line below transaction 3, "3.s2" its second
// statement.
func (s Stop) String() string {
	if s.Statement {
		return fmt.Sprintf("%d.s%d", s.Tx, s.Line)
	}
	return fmt.Sprintf("%d.%d", s.Tx, s.Line)
}

// StopName names the Stop of a line and the source line that it is at:
// "3.2 src/Vault.sol:20". It is empty if the line has no Stop.
func (l *Line) StopName() string {
	switch {
	case l.Stop == nil:
		return ""
	case l.Place == nil:
		return l.Stop.String()
	}
	return l.Stop.String() + " " + lineOf(l.Place)
}

func lineOf(p *finding.Place) string { return fmt.Sprintf("%s:%d", p.File, p.Start.Line) }

// parseStop reads what String has written.
func parseStop(name string) (s Stop, ok bool) {
	tx, line, ok := strings.Cut(name, ".")
	line, s.Statement = strings.CutPrefix(line, "s")
	var wrong [2]error
	s.Tx, wrong[0] = strconv.Atoi(tx)
	s.Line, wrong[1] = strconv.Atoi(line)
	return s, ok && wrong[0] == nil && wrong[1] == nil
}

// Find returns the Stop of a name. If the name has a source line, the Stop is there: in
// another build than the one that was named, it is the nearest line of the transaction
// that is. The error is for users.
func (t *Trace) Find(name string) (Stop, error) {
	number, source, placed := strings.Cut(name, " ")
	want, ok := parseStop(number)
	if !ok {
		return Stop{}, fmt.Errorf("%.100q is no line of a trace; write 3.2 for the second line below transaction 3, 3.s2 for its second statement", name)
	}
	lines := t.Lines(Full(nil))
	if want.Statement {
		lines = t.StepLines(nil)
	}
	found, nearest := Stop{}, -1
	for i := range lines {
		l := &lines[i]
		if l.Stop == nil || l.Stop.Tx != want.Tx || placed && (l.Place == nil || lineOf(l.Place) != source) {
			continue
		}
		far := max(l.Stop.Line-want.Line, want.Line-l.Stop.Line)
		if far > 0 && !placed || nearest >= 0 && far >= nearest {
			continue
		}
		found, nearest = *l.Stop, far
	}
	switch {
	case nearest >= 0:
		return found, nil
	case placed:
		return Stop{}, fmt.Errorf("transaction %d does nothing at %.200s any more; replay the finding again", want.Tx, source)
	}
	return Stop{}, fmt.Errorf("the trace has no line %s", want)
}
