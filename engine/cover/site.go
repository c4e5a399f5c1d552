package cover

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// sites says where the operands of a code's conditions are.
type sites struct{}

func resolve(*bytecode.Code) sites { return sites{} }

// distance sets z to how far a condition is from being true, or false.
func distance(z, condition *uint256.Int, want bool) {
	if want {
		z.SetOne()
	} else {
		*z = *condition
	}
}
