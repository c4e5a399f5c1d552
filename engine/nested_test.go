package engine

import (
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// Values in bytes are found and shown as such: encodings in encodings, batches of
// calls, packed values, scheduled calls, signed data, and calls of what is behind a
// proxy.
func TestNested(t *testing.T) {
	b := compile(t, "testdata/Nested.sol")
	for _, row := range []struct{ name, last string }{
		{"Orders", "Orders.fill((10597059, abi.encode(29157, abi.encode("},
		{"Batch", "Batch.multicall([next(2043454), end(11259375)])"},
		{"Packet", "Packet.read(abi.encodePacked(user1, 1339673755198158349044581307228491536, 195))"},
		{"Lock", "Lock.execute(Lock, set(1592614637))"},
		{"Permits", "Permits.use(abi.encode((deployer, 78187493530), 0x"},
		{"Forwarder", "Forwarder.act(4277009102)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := run(t, b, row.name, Options{MaxInputs: 40000, Seed: 1, Oracles: []string{"assertion"}, StopOnFirst: true})
			at := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Oracle == "assertion" })
			if at < 0 {
				t.Fatal("not found")
			}
			w := r.Findings[at].Witness
			lines := w.Describe(nil)
			if last := lines[len(lines)-1]; !strings.Contains(last, row.last) {
				t.Errorf("the witness ends with %q, want %q", last, row.last)
			}
			replayed(t, b, row.name, reread(t, w))
		})
	}
}

// reread writes a witness and reads it.
func reread(t *testing.T, w input.Sequence) input.Sequence {
	t.Helper()
	text := input.AppendText(nil, w)
	again, err := input.ReadText(text, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if second := input.AppendText(nil, again); string(second) != string(text) {
		t.Fatalf("written\n%s\nread and written again\n%s", text, second)
	}
	for i := range again.Txs {
		again.Txs[i].Function = w.Txs[i].Function
	}
	again.Deployment = w.Deployment
	return again
}
