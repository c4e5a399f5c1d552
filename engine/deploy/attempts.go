package deploy

import (
	"fmt"
	"hash/fnv"

	"leveret/engine/input"
)

// maxRepeated is how many attempts may repeat earlier ones before a constructor is
// taken for one whose arguments do not vary.
const maxRepeated = 16

// attempts remembers what a constructor was called with. Where all arguments are
// contracts, most attempts are equal.
type attempts struct {
	tried    map[uint64]bool
	repeated int
}

// repeats reports whether a constructor was called like this before, with the same
// contracts at the same addresses.
func (a *attempts) repeats(tx *input.Tx, contracts []Deployed) bool {
	hash := fnv.New64a()
	hash.Write(tx.AppendCalldata(nil))
	hash.Write(tx.Value.Bytes())
	for i := range contracts {
		fmt.Fprintf(hash, "%s:%s %x\n", contracts[i].Contract.File, contracts[i].Contract.Name, contracts[i].Address)
	}
	key := hash.Sum64()
	if a.tried[key] {
		a.repeated++
		return true
	}
	if a.tried == nil {
		a.tried = map[uint64]bool{}
	}
	a.tried[key] = true
	return false
}
