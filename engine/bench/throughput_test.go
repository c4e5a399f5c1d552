package main

import (
	"os"
	"testing"
	"time"
)

func TestParseReadsABenchmarkLine(t *testing.T) {
	got := parse("BenchmarkThroughput-2 \t 165 \t 13890968 ns/op\t 126100 bare_calls/s\t 0.4584 bare_empty_hook_ratio")
	if got["bare_calls/s"] != 126100 || got["bare_empty_hook_ratio"] != 0.4584 || got["ns/op"] != 13890968 {
		t.Errorf("%v", got)
	}
}

// BenchmarkThroughput prints the table:
//
//	go test -run ^$ -bench Throughput -benchtime 1x ./engine/bench
func BenchmarkThroughput(b *testing.B) {
	for b.Loop() {
		if err := Throughput(os.Stdout, 5*time.Second); err != nil {
			b.Fatal(err)
		}
	}
}
