package server

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// samples is how many times each latency is measured.
const samples = 20

// report prints the median and 95th percentile of the samples.
func report(b *testing.B, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(times[len(times)/2]), "median-ms")
	b.ReportMetric(ms(times[(len(times)*95+99)/100-1]), "p95-ms")
	b.ReportMetric(0, "ns/op") // one operation is many samples
}

// vault returns a contract of the size of a small vault. Each i gives different
// code; the assertion can fail if faulty is true.
func vault(faulty bool, i int) string {
	bound := "<="
	if faulty {
		bound = "<"
	}
	text, err := os.ReadFile("testdata/latency/Vault.sol")
	if err != nil {
		panic(err)
	}
	text = bytes.Replace(text, []byte("BOUND"), []byte(bound), 1)
	return string(bytes.Replace(text, []byte("NUMBER"), []byte(fmt.Sprint(1000+i)), 1))
}

func (e *editor) status() string { return string(e.mail.Custom(present.MethodStatus)) }

func (e *editor) calm() bool { return strings.Contains(e.status(), `"busy":false`) }

func (e *editor) asserts(name string) bool {
	return slices.ContainsFunc(e.found(name), func(d protocol.Diagnostic) bool {
		return d.Code == protocol.String("assertion") && d.Severity == protocol.DiagnosticSeverityError
	})
}

// The time from the start of the server to the first finding with empty caches.
func BenchmarkColdStartToFinding(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	var times []time.Duration
	for i := range samples / 2 {
		start := time.Now()
		e, p := launch(b, leveret, tools)
		e.open("Vault.sol", vault(true, i))
		e.until("a finding", func() bool { return e.asserts("Vault.sol") })
		times = append(times, time.Since(start))
		e.leave(p)
	}
	report(b, times)
}

// Latencies of a diagnostic with a warm compiler: save to finding, edit to moved
// diagnostic, edit to cancelled campaign, save of the fixed text to its removal.
func BenchmarkWarm(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	e, p := launch(b, leveret, tools)
	defer e.leave(p)
	e.open("Vault.sol", vault(false, 0))
	e.until("the first campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })

	measured := map[string][]time.Duration{}
	measure := func(what string, ok func() bool) {
		start := time.Now()
		e.until(what, ok)
		measured[what] = append(measured[what], time.Since(start))
	}
	version := int32(1)
	for i := range samples {
		version++
		e.save("Vault.sol", version, vault(true, i))
		measure("SaveToFinding", func() bool { return e.asserts("Vault.sol") })
		line := e.found("Vault.sol")[0].Range.Start.Line
		version++
		e.change("Vault.sol", version, "\n"+vault(true, i))
		measure("EditToMovedSquiggle", func() bool {
			return e.asserts("Vault.sol") && e.found("Vault.sol")[0].Range.Start.Line == line+1
		})
		measure("EditToCancelledCampaign", e.calm)
		version++
		e.save("Vault.sol", version, vault(false, i))
		measure("SaveToFixedSquiggleGone", func() bool { return len(e.found("Vault.sol")) == 0 })
		e.until("the campaign on the fixed text", func() bool { return strings.Contains(e.status(), "fuzzing") })
	}
	for _, what := range []string{"SaveToFinding", "EditToMovedSquiggle", "EditToCancelledCampaign", "SaveToFixedSquiggleGone"} {
		b.Run(what, func(b *testing.B) { report(b, measured[what]) })
	}
}

// The time from a save to the end of the compilation of 1,000 lines.
func BenchmarkWarmCompile1000Lines(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	e, p := launch(b, leveret, tools)
	defer e.leave(p)
	e.parts()
	e.open("Whole.sol", whole(0))
	e.until("the first campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	var times []time.Duration
	for i := range samples {
		e.mail.Forget(present.MethodStatus)
		e.save("Whole.sol", int32(i+2), whole(i+1))
		start := time.Now()
		e.until("a campaign", e.compiled)
		times = append(times, time.Since(start))
	}
	report(b, times)
}

// The same from the start of the server, including the search for the compiler
// and its start.
func BenchmarkColdCompile1000Lines(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	var times []time.Duration
	for i := range samples / 2 {
		start := time.Now()
		e, p := launch(b, leveret, tools)
		e.parts()
		e.open("Whole.sol", whole(i))
		e.until("a campaign", e.compiled)
		times = append(times, time.Since(start))
		e.leave(p)
	}
	report(b, times)
}

// parts writes the files that whole imports.
func (e *editor) parts() {
	for i := range 4 {
		e.write(fmt.Sprintf("Part%d.sol", i), part(i))
	}
}

// whole returns a contract that has 1,000 lines with its imports.
func whole(i int) string {
	return fmt.Sprintf("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nimport \"./Part0.sol\"; import \"./Part1.sol\"; import \"./Part2.sol\"; import \"./Part3.sol\";\n"+
		"contract Whole is Part0, Part1, Part2, Part3 {\n    uint256 public constant NUMBER = %d;\n}\n", i)
}

// compiled reports whether the step after compilation has begun.
func (e *editor) compiled() bool {
	return strings.Contains(e.status(), "checking") || strings.Contains(e.status(), `"fuzzing Whole"`)
}

// part returns a contract of about 250 lines.
func part(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nabstract contract Part%d {\n    mapping(address => uint256) private held%d;\n", n, n)
	for i := range 49 {
		fmt.Fprintf(&b, "    function f%d_%d(uint256 x, address who) external returns (uint256) {\n        require(x > %d, \"too little\");\n        held%d[who] += x %% %d;\n        return held%d[who] * 2;\n    }\n", n, i, i, n, i+7, n)
	}
	b.WriteString("}\n")
	return b.String()
}

// The processor time of an idle server.
func BenchmarkIdle(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	e, p := launch(b, leveret, tools)
	defer e.leave(p)
	e.open("Vault.sol", vault(false, 0))
	e.until("the first campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	e.until("idle", e.calm)
	time.Sleep(time.Second) // for work that ends after the campaign
	before, err := processorTime(p.cmd.Process.Pid)
	if err != nil {
		b.Skip("skipped: processor times cannot be read here: ", err)
	}
	const watched = 5 * time.Second
	time.Sleep(watched)
	after, err := processorTime(p.cmd.Process.Pid)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(100*(after-before).Seconds()/watched.Seconds(), "%CPU")
	b.ReportMetric(0, "ns/op")
}

// processorTime reads user and system time of a process from /proc, in ticks
// of 10 ms.
func processorTime(pid int) (time.Duration, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	var user, system int
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0, err
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil
}
