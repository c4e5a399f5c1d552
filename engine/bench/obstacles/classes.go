package obstacles

import (
	"fmt"
	"strings"
)

// senderInCode wants senders whose addresses stand in the code.
func senderInCode(d *draw, size int, mark string) (string, int) {
	var text strings.Builder
	for i := range size + 1 {
		fmt.Fprintf(&text, "function f%d() external {\nrequire(uint160(msg.sender) == %s && step == %d);\nstep++;\n", i, d.account(), i)
		if i == size {
			text.WriteString(mark + "\n")
		}
		text.WriteString("}\n")
	}
	return "uint256 private step;\n" + text.String(), size + 1
}

// senderInStorage wants a sender whose address the constructor wrote to storage.
func senderInStorage(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`address private owner;
uint256 private limit;
constructor() {
    owner = address(uint160(%s));
}
function set(uint256 x) external {
    require(msg.sender == owner);
    limit = x;
}
function f(uint256 x) external {
    if (limit > %d && x == limit + 1) {
        %s
    }
}`, d.account(), []uint64{1, 1e6, 1e18}[size], mark), 2
}

// testKeys are addresses of private keys that everybody knows: 1, 2, and the
// first of Hardhat's and Anvil's mnemonic.
var testKeys = []string{
	"0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf", "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
}

// recovered wants a signature of a well-known key.
func recovered(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`uint256 private nonce;
function f(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(address(this), amount, nonce));
    require(ecrecover(hash, v, r, s) == %s);
    nonce++;
    if (amount > %d && nonce == %d) {
        %s
    }
}`, testKeys[d.IntN(len(testKeys))], d.between(1, 1e6), 1+size, mark), 1 + size
}

// unaskedEther wants a balance that no function accepts.
func unaskedEther(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`function f() external {
    if (address(this).balance > %d) {
        %s
    }
}`, d.between(0, 100)*[]int{1, 1e9, 1e16}[size], mark), 2
}

// exactEther wants a surplus over what was deposited.
func exactEther(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`uint256 private total;
function deposit() external payable {
    require(msg.value > %d);
    total += msg.value;
}
function f() external {
    if (total > 0 && address(this).balance - total == %d) {
        %s
    }
}`, d.between(1, 1000), []int{1, d.between(2, 1e6), d.between(1e9, 1e15)}[size], mark), 3
}
