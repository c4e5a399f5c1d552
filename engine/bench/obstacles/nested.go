package obstacles

import (
	"fmt"
	"strings"
)

// bytesInBytes wants values in encodings within encodings.
func bytesInBytes(d *draw, size int, mark string) (string, int) {
	var text strings.Builder
	text.WriteString("function f(bytes calldata data0) external {\n")
	for i := range size + 1 {
		fmt.Fprintf(&text, "(uint256 x%d, bytes memory data%d) = abi.decode(data%d, (uint256, bytes));\nrequire(x%d == %s);\n", i, i+1, i, i, d.word(4+size))
	}
	fmt.Fprintf(&text, "if (data%d.length == %d) {\n%s\n}\n}", size+1, d.between(3, 40), mark)
	return text.String(), 1
}

// multicall wants several calls in one transaction.
func multicall(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`uint256 private inside;
function multicall(bytes[] calldata calls) external {
    inside = 1;
    for (uint256 i = 0; i < calls.length; i++) {
        (bool ok,) = address(this).delegatecall(calls[i]);
        require(ok);
    }
    inside = 0;
}
function step(uint256 x) external {
    require(inside > 0 && x == inside * %s);
    inside++;
}
function f(uint256 x) external {
    if (inside == %d && x == %s) {
        %s
    }
}`, d.word(3), size+2, d.word(6), mark), 1
}

// forwarded wants a call that a contract makes to itself.
func forwarded(d *draw, size int, mark string) (string, int) {
	var kinds, conditions []string
	for i := range size + 1 {
		kinds = append(kinds, fmt.Sprintf("uint256 x%d", i))
		conditions = append(conditions, fmt.Sprintf("x%d == %s", i, d.word(4+4*i)))
	}
	return fmt.Sprintf(`function execute(bytes calldata data) external {
    (bool ok,) = address(this).call(data);
    require(ok);
}
function f(%s) external {
    require(msg.sender == address(this));
    %s
}`, strings.Join(kinds, ", "), nested(conditions, mark)), 1
}

// packed wants fields of a packed encoding that lie across words, and with size an
// encoding behind them.
func packed(d *draw, size int, mark string) (string, int) {
	x, scale := d.between(1e9, 2e9), d.between(3, 999)
	conditions := []string{
		"account == msg.sender", fmt.Sprintf("x == %d", x), fmt.Sprintf("y == uint128(x) * %d + %d", scale, d.between(1, 1e9)),
		fmt.Sprintf("kind == %d", d.between(1, 255)),
	}
	var text strings.Builder
	text.WriteString(`address account = address(bytes20(data[0:20]));
uint64 x = uint64(bytes8(data[20:28]));
uint128 y = uint128(bytes16(data[28:44]));
uint8 kind = uint8(data[44]);
`)
	for i := range size {
		from := "data[45:]"
		if i > 0 {
			from = fmt.Sprintf("rest%d", i-1)
		}
		fmt.Fprintf(&text, "(uint256 z%d, bytes memory rest%d) = abi.decode(%s, (uint256, bytes));\n", i, i, from)
		conditions = append(conditions, fmt.Sprintf("z%d == %s", i, d.word(6)))
	}
	return fmt.Sprintf("function f(bytes calldata data) external {\nrequire(data.length >= 45);\n%s%s\n}", text.String(), nested(conditions, mark)), 1
}

// typedData wants a signature of typed structured data [EIP-712]: as three
// arguments, as bytes, or in bytes with what is signed.
func typedData(d *draw, size int, mark string) (string, int) {
	parameters := []string{"Order calldata o, uint8 v, bytes32 r, bytes32 s", "Order calldata o, bytes calldata signature", "bytes calldata data"}[size]
	open := []string{
		"",
		"require(signature.length == 65);\nbytes32 r = bytes32(signature[0:32]);\nbytes32 s = bytes32(signature[32:64]);\nuint8 v = uint8(signature[64]);\n",
		`(Order memory o, bytes memory signature) = abi.decode(data, (Order, bytes));
require(signature.length == 65);
bytes32 r;
bytes32 s;
uint8 v;
assembly {
    r := mload(add(signature, 32))
    s := mload(add(signature, 64))
    v := byte(0, mload(add(signature, 96)))
}
`,
	}[size]
	return fmt.Sprintf(`struct Order {
    address maker;
    uint256 amount;
    uint64 nonce;
    uint256 deadline;
}
bytes32 private immutable domain = keccak256(abi.encode(keccak256("EIP712Domain(string name)"), keccak256("Orders")));
mapping(address => uint256) private nonces;
function f(%s) external {
    %s
    bytes32 content = keccak256(abi.encode(keccak256("Order(address maker,uint256 amount,uint64 nonce,uint256 deadline)"), o.maker, o.amount, o.nonce, o.deadline));
    address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", domain, content)), v, r, s);
    require(signer != address(0) && signer == o.maker);
    require(o.deadline >= block.timestamp && o.nonce == nonces[signer]);
    nonces[signer]++;
    if (o.amount == %s) {
        %s
    }
}`, parameters, open, d.word(5), mark), 1
}

// timelocked wants a call that is scheduled, and made after a delay.
func timelocked(d *draw, size int, mark string) (string, int) {
	var kinds, conditions []string
	for i := range size + 1 {
		kinds = append(kinds, fmt.Sprintf("uint256 x%d", i))
		conditions = append(conditions, fmt.Sprintf("x%d == %s", i, d.word(4)))
	}
	return fmt.Sprintf(`mapping(bytes32 => uint256) private ready;
function schedule(address target, bytes calldata data) external {
    ready[keccak256(abi.encode(target, data))] = block.timestamp + %d;
}
function execute(address target, bytes calldata data) external {
    bytes32 id = keccak256(abi.encode(target, data));
    require(ready[id] != 0 && block.timestamp >= ready[id]);
    delete ready[id];
    (bool ok,) = target.call(data);
    require(ok);
}
function f(%s) external {
    require(msg.sender == address(this));
    %s
}`, d.between(60, 86400), strings.Join(kinds, ", "), nested(conditions, mark)), 2
}

// proxied wants calls of what a proxy forwards to, which it creates itself.
func proxied(d *draw, size int, mark string) (string, int) {
	var setters, conditions strings.Builder
	for i := range size {
		fmt.Fprintf(&setters, "    uint256 private v%d;\n    function set%d(uint256 x) external {\n        require(x > %d);\n        v%d = x;\n    }\n", i, i, d.between(1, 1e6), i)
		fmt.Fprintf(&conditions, "        require(v%d == %s);\n", i, d.word(3))
	}
	d.others += fmt.Sprintf(`
contract Logic {
    bool public reached;
%s    function f(uint256 x) external {
%s        if (x == %s) {
            %s
        }
    }
}
`, setters.String(), conditions.String(), d.word(6), mark)
	return `constructor() {
    address logic = address(new Logic());
    assembly {
        sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic)
    }
}
fallback() external payable {
    assembly {
        calldatacopy(0, 0, calldatasize())
        let ok := delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, calldatasize(), 0, 0)
        returndatacopy(0, 0, returndatasize())
        switch ok
        case 0 { revert(0, returndatasize()) }
        default { return(0, returndatasize()) }
    }
}`, size + 1
}

// batched wants calls that a wallet makes, of another contract and of itself.
func batched(d *draw, size int, mark string) (string, int) {
	d.others += `
contract Vault {
    address private owner = msg.sender;
    uint256 public total;
    function put(uint256 x) external {
        require(msg.sender == owner && x > 0);
        total += x;
    }
}
`
	conditions := []string{"msg.sender == address(this)", fmt.Sprintf("x == %s", d.word(5))}
	for i := range size {
		conditions = append(conditions, fmt.Sprintf("vault.total() %% %d == %d", []int{7, 11}[i], d.between(1, 6)))
	}
	return fmt.Sprintf(`struct Call {
    address target;
    bytes data;
}
Vault private vault = new Vault();
function execute(Call[] calldata calls) external {
    for (uint256 i = 0; i < calls.length; i++) {
        (bool ok,) = calls[i].target.call(calls[i].data);
        require(ok);
    }
}
function f(uint256 x) external {
    %s
}`, nested(conditions, mark)), 1
}
