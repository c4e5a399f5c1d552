package ast

import "testing"

func BenchmarkRead(b *testing.B) {
	tree := readGolden(b, "testdata/new-0.8.30.json.gz").tree()
	b.SetBytes(int64(len(tree)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(tree); err != nil {
			b.Fatal(err)
		}
	}
}
