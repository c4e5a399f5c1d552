package shadow

import (
	"testing"

	"github.com/holiman/uint256"
)

// TestReturned runs functions that return booleans under every compiler: those that
// a comparison decides without a jump are Decisions, with the selector, and a
// Resolution that tells the same distance.
func TestReturned(t *testing.T) {
	for _, c := range named(t, "Returned") {
		t.Run(c.name(), func(t *testing.T) {
			o := New(NewState())
			o.Resolver = NewResolver()
			s := deploy(t, c.code(), o.Hooks())
			for _, row := range []struct {
				method string
				args   []any
				taken  bool
				flip   uint64 // 0: no Decision
			}{
				{"equal", []any{10, 3}, false, 7},
				{"equal", []any{3, 3}, true, 1},
				{"both", []any{5, 9}, true, 6},
				{"both", []any{5, 3}, false, 1},
				{"either", []any{2, 5}, false, 3},
				{"inner", []any{3, 10}, true, 8},
				{"member", []any{400}, true, 600},
				{"signed", []any{-50}, false, 31},
				{"zero", []any{7}, false, 7},
				{"stored", nil, false, 0},
				{"given", []any{1}, true, 0},
				{"always", []any{1}, true, 0},
				{"number", []any{3, 10}, false, 0},
			} {
				o.Attach(o.State().clone())
				data := c.pack(t, row.method, row.args)
				s.call(data, 0, o.Hooks())
				var found []Decision
				for _, d := range o.Branches {
					if d.Returned() {
						found = append(found, d)
					}
				}
				if row.flip == 0 {
					if len(found) > 0 {
						t.Errorf("%s%v: %s", row.method, row.args, found[0].Condition)
					}
					continue
				}
				if len(found) != 1 {
					t.Errorf("%s%v: %d returned booleans\n%s", row.method, row.args, len(found), decisions(o))
					continue
				}
				d := &found[0]
				if cost := d.Condition.Cost(!d.Taken); d.Taken != row.taken || ReturnSelector(d.PC) != [4]byte(data) || !cost.Eq(uint256.NewInt(row.flip)) {
					t.Errorf("%s%v: taken %v, %s flips at %s", row.method, row.args, d.Taken, d.Condition, cost.Hex())
				}
				if len(o.Resolver.Lookup(d.Code, d.PC)) == 0 {
					t.Errorf("%s%v: no resolution of %s", row.method, row.args, d.Condition)
				}
			}
		})
	}
}
