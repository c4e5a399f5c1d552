package report

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/engine/finding"
	"leveret/engine/replay"
	"leveret/engine/report/printable"
)

// hostile contains what terminals and browsers interpret: ESC, BEL, CSI and OSC in
// both encodings, direction marks, line breaks, markup and invalid UTF-8.
const hostile = "a\x1b[2Jb\x07c\u009b31md\x1b]0;title\x07e\u202ef\u2066g\u200bh\ni\r\nj\u2028k</pre><script>alert(1)</script>*/\xff\xfe\x7f\"'"

// hostileReport is the sample with hostile text wherever a project or a compiler
// can put text.
func hostileReport(t testing.TB) *Report {
	r := sample(t)
	r.Root = "/" + hostile
	for i := range r.Contracts {
		c := &r.Contracts[i]
		c.Root, c.File, c.Note = r.Root, hostile, hostile
		c.Texts = map[string][]byte{hostile: []byte(strings.Repeat(hostile+"\n", 9))}
		for k := range c.Findings {
			f := &c.Findings[k]
			f.Message, f.Function = hostile, hostile
			f.Place.File, f.Place.Path = hostile, r.Root+"/"+hostile
			f.Evidence = []finding.Evidence{{Name: hostile, Value: hostile}}
			f.Related = []finding.Related{{Place: f.Place, Message: hostile}}
			c.Traces = map[string][]replay.Node{f.ID: {{Text: hostile, Place: &f.Place, Here: hostile, Nodes: []replay.Node{{Text: hostile}}, After: []string{hostile}}}}
			d := *f.Witness.Deployment
			d.Creations = append(d.Creations[:1:1], d.Creations[1])
			d.Creations[1].File = hostile
			f.Witness.Deployment = &d
		}
	}
	return r
}

// TestHostileTexts writes hostile text in every format: none contains a character
// that a terminal or browser interprets.
func TestHostileTexts(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Write(&b, hostileReport(t), Options{Dir: "/"}); err != nil {
				t.Fatal(err)
			}
			out := b.String()
			if !utf8.ValidString(out) {
				t.Error("it is not UTF-8")
			}
			if bad := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && r != '\t' && !printable.Rune(r) }); bad >= 0 {
				t.Errorf("it has %q", out[max(0, bad-20):bad+9])
			}
		})
	}
}

func TestHostileTextsStayValid(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, hostileReport(t), Options{}); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("JSON: %v", err)
	}
	b.Reset()
	if err := SARIF(&b, hostileReport(t), Options{}); err != nil {
		t.Fatal(err)
	}
	document, err := sarif.FromBytes(b.Bytes())
	if err == nil {
		err = document.Validate()
	}
	if err != nil {
		t.Errorf("SARIF: %v", err)
	}
	b.Reset()
	if err := HTML(&b, hostileReport(t), Options{}); err != nil || !json.Valid(documentOf(t, b.String())) || strings.Contains(string(documentOf(t, b.String())), "<") {
		t.Errorf("HTML: %v", err)
	}
	b.Reset()
	if err := Foundry(&b, hostileReport(t), Options{}); err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?m)//.*$|"(\\.|[^"\\\n])*"`)
	if out := quoted.ReplaceAllString(b.String(), ""); strings.Contains(out, "alert") {
		t.Errorf("Foundry: %s", out)
	}
}
