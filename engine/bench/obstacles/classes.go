package obstacles

import (
	"fmt"
	"strings"
)

// answersOf asks a contract several times.
const answersOf = "uint256[] memory p = new uint256[](%d);\nfor (uint256 i = 0; i < %d; i++) {\np[i] = abi.decode(call(q, %q), (uint256));\n}\n"

// call is a member that calls a contract and returns its answer.
const call = `function call(address q, string memory signature) private returns (bytes memory) {
    (bool ok, bytes memory answer) = q.call(abi.encodeWithSignature(signature));
    require(ok && answer.length >= 32);
    return answer;
}
`

// twoAnswers wants answers with given differences.
func twoAnswers(d *draw, size int, mark string) (string, int) {
	var conditions []string
	for i := range size + 1 {
		conditions = append(conditions, fmt.Sprintf("p[%d] == p[%d] + %d", i+1, i, d.between(2, 1e6)))
	}
	conditions = append(conditions, fmt.Sprintf("p[0] > %d", d.between(1, 1e6)))
	return call + fmt.Sprintf("function f(address q) external {\n"+answersOf+"%s\n}", size+2, size+2, "price()", nested(conditions, mark)), 1
}

// answerOfArgument wants an answer that is a function of the argument.
func answerOfArgument(d *draw, size int, mark string) (string, int) {
	x, scale, offset := d.between(1e9, 2e9), d.between(3, 999), d.between(1, 1e9)
	conditions := []string{fmt.Sprintf("p[0] == uint256(x) * %d + %d", scale, offset), fmt.Sprintf("x > %d", d.between(1, 1e9))}
	for range size {
		k := d.between(50, 99)
		conditions = append(conditions, fmt.Sprintf("p[0] %% %d == %d", k, (x*scale+offset)%k))
	}
	return call + fmt.Sprintf("function f(address q, uint128 x) external {\n"+answersOf+"%s\n}", 1, 1, "rate()", nested(conditions, mark)), 1
}

// reentrant wants calls back with given arguments while a call is open.
func reentrant(d *draw, size int, mark string) (string, int) {
	conditions := []string{"open", fmt.Sprintf("key == %s", d.word(8))}
	if size > 0 {
		conditions = append(conditions, fmt.Sprintf("other == key ^ %s", d.word(8)))
	}
	if size > 1 {
		conditions = append(conditions, "paid > 1000 wei")
	}
	return fmt.Sprintf(`bool private open;
uint256 private paid;
function pay() external payable {
    paid += msg.value;
}
function enter() external {
    open = true;
    (bool ok,) = msg.sender.call("");
    require(ok);
    open = false;
}
function inner(uint64 key, uint64 other) external {
    %s
}`, nested(conditions, mark)), size/2 + 1
}

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
