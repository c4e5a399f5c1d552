package lookahead

import (
	"slices"
	"testing"
)

// What both lists have is kept, in whatever order they have it.
func TestShared(t *testing.T) {
	for _, row := range []struct{ mine, other, want []wordID }{
		{[]wordID{1, 2, 3}, []wordID{1, 2, 3}, []wordID{1, 2, 3}},
		{[]wordID{1, 2, 3, 4}, []wordID{2, 3, 1, 9}, []wordID{1, 2, 3}},
		{[]wordID{5, 1, 2}, []wordID{1, 2}, []wordID{1, 2}},
		{[]wordID{1, 2}, nil, nil},
	} {
		if kept := shared(slices.Clone(row.mine), row.other); !slices.Equal(kept, row.want) {
			t.Errorf("%v and %v share %v, want %v", row.mine, row.other, kept, row.want)
		}
	}
}
