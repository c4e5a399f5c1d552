package report

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"leveret/engine/input"
)

// designed lists the fields that are promised to programs, by path.
const designed = `
version contracts
contracts.name contracts.file contracts.findings contracts.stats
contracts.findings.id contracts.findings.oracle contracts.findings.swc contracts.findings.severity contracts.findings.message
contracts.findings.file contracts.findings.start.line contracts.findings.start.column contracts.findings.end.line contracts.findings.end.column
contracts.findings.function contracts.findings.inputs contracts.findings.seconds
contracts.findings.sequence.from contracts.findings.sequence.to contracts.findings.sequence.function contracts.findings.sequence.args
contracts.findings.sequence.value contracts.findings.sequence.calldata
contracts.findings.sequence.block.number contracts.findings.sequence.block.timestamp
contracts.stats.inputs contracts.stats.transactions contracts.stats.paths contracts.stats.seconds
contracts.stats.instructions.covered contracts.stats.instructions.total contracts.stats.branches.covered contracts.stats.branches.total contracts.stats.jumps.covered contracts.stats.jumps.seen
contracts.findings.group
groups.id groups.cause groups.oracle groups.severity groups.message groups.file groups.start.line groups.end.column
groups.oracles groups.contracts groups.findings
contracts.stats.predicted.tried contracts.stats.predicted.succeeded contracts.stats.lookahead.calls contracts.stats.lookahead.seconds
`

// paths collects the field names of a JSON value.
func paths(prefix string, v any, seen map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			p := strings.TrimPrefix(prefix+"."+k, ".")
			seen[p] = true
			paths(p, e, seen)
		}
	case []any:
		for _, e := range v {
			paths(prefix, e, seen)
		}
	}
}

func TestJSONFields(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, sample(t), Options{}); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b.Bytes(), &v); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	paths("", v, seen)
	for _, p := range strings.Fields(designed) {
		if !seen[p] {
			t.Errorf("field %s is missing", p)
		}
	}
	if bytes.Contains(b.Bytes(), []byte("null")) {
		t.Error("a list is null")
	}
}

// TestWitnessSurvives checks that what is re-executed is what was found.
func TestWitnessSurvives(t *testing.T) {
	want := witness(t)
	text, err := json.Marshal(NewDocument(sample(t)))
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	got, err := d.Contracts[0].Findings[1].Witness(nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Txs) != len(want.Txs) || len(got.Deployment.Creations) != len(want.Deployment.Creations) {
		t.Fatalf("%d transactions on %d contracts", len(got.Txs), len(got.Deployment.Creations))
	}
	for i, w := range want.Deployment.Creations {
		g := got.Deployment.Creations[i]
		if g.Name != w.Name || g.File != w.File || g.Address != w.Address || g.Value != w.Value || !bytes.Equal(input.AppendValues(nil, g.Args), input.AppendValues(nil, w.Args)) {
			t.Errorf("creation %d: got %+v, want %+v", i, g, w)
		}
	}
	names := input.NewNames(want.Deployment)
	for i, w := range want.Txs {
		g := got.Txs[i]
		if g.From != w.From || g.To != w.To || g.Value != w.Value || g.Delay != w.Delay || g.Function.Signature != w.Function.Signature ||
			!bytes.Equal(g.Calldata(), w.Calldata()) || names.FormatScript(g.Script) != names.FormatScript(w.Script) {
			t.Errorf("transaction %d: got %+v, want %+v", i, g, w)
		}
	}
}

// TestWitnessRefuses damages one field after the other.
func TestWitnessRefuses(t *testing.T) {
	for want, damage := range map[string]func(*FindingDocument){
		"no deployment":  func(d *FindingDocument) { d.Deployment = nil },
		"is empty":       func(d *FindingDocument) { d.Sequence = nil },
		"creation 1":     func(d *FindingDocument) { d.Deployment[0].Address = "here" },
		"creation 2":     func(d *FindingDocument) { d.Deployment[1].Args = nil },
		"mallory":        func(d *FindingDocument) { d.Sequence[0].From = "mallory" },
		"Bank":           func(d *FindingDocument) { d.Sequence[0].To = "Bank" },
		"transaction 1":  func(d *FindingDocument) { d.Sequence[0].Value = "-1" },
		"transaction 4":  func(d *FindingDocument) { d.Sequence[3].Args[1] = "x" },
		"block goes":     func(d *FindingDocument) { d.Sequence[3].Block.Number = 0 },
		"transaction 4:": func(d *FindingDocument) { d.Sequence[3].Script = "sleep" },
	} {
		d := NewDocument(sample(t)).Contracts[0].Findings[1]
		damage(&d)
		if _, err := d.Witness(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// FuzzWitness reads findings that others wrote.
func FuzzWitness(f *testing.F) {
	text, err := json.Marshal(NewDocument(sample(f)).Contracts[0].Findings[1])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"deployment":[{"constructor":"constructor()","address":"0x00","calldata":"0x"}],"sequence":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var d FindingDocument
		if json.Unmarshal(text, &d) != nil {
			return
		}
		s, err := d.Witness(nil)
		if err != nil {
			return
		}
		again := d
		again.Deployment, again.Sequence = s.JSON(d.Block)
		second, err := again.Witness(nil)
		if err != nil {
			t.Fatalf("not stable: %v", err)
		}
		for i := range s.Txs {
			if !slices.Equal(s.Txs[i].Calldata(), second.Txs[i].Calldata()) {
				t.Fatalf("transaction %d changed", i)
			}
		}
	})
}
