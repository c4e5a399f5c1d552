package srcmap

import (
	"slices"
	"testing"
)

// Entries with a function entry or exit belong to JUMP instructions. This
// detects a single miscounted instruction, and a map of other code.
func TestJumpEntries(t *testing.T) {
	seen := 0
	goldens(t, func(t *testing.T, c code) {
		b := bytecode(t, c.Object)
		entries, err := Decode(c.SourceMap)
		if err != nil {
			t.Fatal(err)
		}
		ix := NewInstructions(b, entries)
		if ix.Count() != len(entries) || !ix.Fits(b) {
			t.Errorf("%d instructions, %d entries, fits: %v", ix.Count(), len(entries), ix.Fits(b))
		}
		jumps := 0
		for _, e := range entries {
			if e.Jump != JumpRegular {
				jumps++
			}
		}
		if seen += jumps; jumps > 0 {
			shifted := slices.Insert(slices.Clone(entries), 0, Entry{Jump: JumpRegular})
			if NewInstructions(b, shifted).Fits(b) {
				t.Error("entries that are shifted fit")
			}
		}
	})
	if seen < 100 {
		t.Errorf("found only %d jumps", seen)
	}
}

func TestPCIndex(t *testing.T) {
	code := []byte{0x60, 0x60, 0x01, 0x62, 1, 2, 3, 0x00, 0xfe, 0x61, 0x60}
	entries := make([]Entry, 4)
	for i := range entries {
		entries[i].Span = Span{Start: 10 * i, Length: 5}
	}
	ix := NewInstructions(code, entries)
	want := map[int]int{0: 0, 2: 1, 3: 2, 7: 3}
	for pc := -1; pc <= len(code); pc++ {
		got, ok := ix.PCIndex(pc)
		if i, instruction := want[pc]; ok != instruction || got != i {
			t.Errorf("pc %d has index %d, %v", pc, got, ok)
		}
		if back, _ := ix.IndexPC(got); ok && back != pc {
			t.Errorf("instruction %d: got pc %d, want %d", got, back, pc)
		}
		if s, _ := ix.PCSpan(pc); ok && s != entries[got].Span || !ok && s.Source != -1 {
			t.Errorf("pc %d has span %+v", pc, s)
		}
	}
	if got := ix.SpanPCs(Span{Start: 9, Length: 17}); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("got %v", got)
	}
	if _, ok := ix.IndexPC(4); ok {
		t.Error("a fifth instruction is accepted")
	}
}

func FuzzInstructions(f *testing.F) {
	f.Add([]byte{0x60, 0x60, 0x01, 0x7f, 1, 2}, 3)
	f.Add([]byte{}, 5)
	f.Fuzz(func(t *testing.T, code []byte, count int) {
		if count < 0 || count > 1000 {
			return
		}
		ix := NewInstructions(code, make([]Entry, count))
		// A simple implementation that skips data byte by byte.
		var pcs []int
		data := 0
		for pc, op := range code {
			if data > 0 {
				data--
				continue
			}
			if len(pcs) < count {
				pcs = append(pcs, pc)
			}
			if op >= push1 && op <= push32 {
				data = int(op) - push1 + 1
			}
		}
		for pc := range code {
			got, ok := ix.PCIndex(pc)
			want := slices.Index(pcs, pc)
			if ok != (want >= 0) || ok && got != want {
				t.Fatalf("pc %d of %x: got index %d, %v, want %d", pc, code, got, ok, want)
			}
		}
	})
}
