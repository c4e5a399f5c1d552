package session

import "testing"

// A comment at the assertion of which a finding speaks suppresses it, in a file that is open or
// closed, and is used.
func TestSilencedAtAssertion(t *testing.T) {
	l := newLab(t)
	const (
		silent = "// leveret-disable-next-line assertion\n"
		caller = "import Helper\ncontract A\nbug one\n"
		helper = "text\ncheck one\n"
	)
	l.write("Helper", silent+helper)
	l.open("A", caller)
	l.rest()
	l.wantMarks("A", "3 A:one")
	l.write("Helper", "text\n"+silent+"check one\n")
	l.save("A", caller)
	l.rest()
	l.wantMarks("A")

	l.open("Helper", helper)
	l.rest()
	l.wantMarks("A", "3 A:one")
	l.edit("Helper", "text\n"+silent+"check one\n")
	l.wantMarks("A")
	if s := l.Snapshot(); len(s.Unused(s.Document(l.path("Helper")))) > 0 {
		t.Error("the comment counts as unused")
	}
	l.edit("Helper", "text\n\n"+silent+"\ncheck one\n")
	l.wantMarks("A", "3 A:one")
	if s := l.Snapshot(); len(s.Unused(s.Document(l.path("Helper")))) != 1 {
		t.Error("the comment of another line counts as used")
	}
}
