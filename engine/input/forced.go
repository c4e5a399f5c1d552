package input

import "github.com/ethereum/go-ethereum/common"

// Forced is the function of transactions that send ether to a contract which is not
// asked: none of its code runs, as if a contract destroyed itself in its favour, a
// block rewarded it, or its address had ether before it was created. To is that
// contract.
var Forced = (&Function{Name: forcedName, Mutability: Payable, Raw: true}).finish()

const forcedName = "selfdestruct"

// Forcer is the account of the contract that Forced transactions call: it destroys
// itself in favour of the address in its calldata. Its code is ForcerCode.
var (
	Forcer     = common.HexToAddress("0x5E1fDE57201C7000000000000000000000000001")
	ForcerCode = []byte{0x60, 0, 0x35, 0xff} // PUSH1 0, CALLDATALOAD, SELFDESTRUCT
)

// Forces reports whether f is Forced.
func (f *Function) Forces() bool { return f != nil && f.Raw && f.Name == forcedName }

// takesData reports whether transactions to f have arbitrary calldata.
func (f *Function) takesData() bool { return f.Raw && f.Name != "receive" && f.Name != forcedName }
