package hostile

import "fmt"

// executions lists contracts whose calls are slow or need much memory for their
// gas.
func executions() []Contract {
	var list []Contract
	for _, c := range []struct{ name, loop string }{
		{"storage", "assembly { sstore(keccak256(0, add(a, i)), i) }"},
		{"storage reads", "assembly { r := add(r, sload(add(mul(a, i), i))) }"},
		{"transient storage", "assembly { tstore(add(a, i), i) }"},
		{"hashes of 1 MB", "assembly { r := add(r, keccak256(0, 1000000)) }"},
		{"hashes of as much as wanted", "assembly { mstore(0, r) r := add(r, keccak256(0, a)) }"},
		{"memory", "assembly { mstore(mul(a, i), i) }"},
		{"copies of memory", "assembly { mcopy(0, 32, 3000000) }"},
		{"copies of calldata", "assembly { calldatacopy(i, 0, 3000000) }"},
		{"copies of code", "assembly { extcodecopy(address(), i, 0, 3000000) }"},
		{"logs of 50 KB", "assembly { log1(0, 50000, a) }"},
		{"small logs", "assembly { log4(0, 1, i, a, i, a) }"},
		{"creations", "assembly { r := add(r, create(0, 0, 0)) }"},
		{"creations with salts", "assembly { mstore8(0, 0x60) r := add(r, create2(0, 0, 1, i)) }"},
		{"creations of much code", "assembly { mstore(0, 0x6160005ff3) r := add(r, create(0, 27, 5)) }"},
		{"contracts that destroy themselves", "new Mayfly{salt: bytes32(i)}();"},
		{"calls of itself", "try this.g(a) returns (uint x) { r += x; } catch { r++; }"},
		{"calls of nobody", "assembly { r := add(r, call(gas(), add(a, i), 1, 0, 0, 0, 0)) }"},
		{"balances", "r += address(uint160(a + i)).balance;"},
		{"code hashes", "r += uint(address(uint160(a + i)).codehash);"},
		{"block hashes", "r += uint(blockhash(block.number - i % 256));"},
		{"modexp", "assembly { mstore(0, 1024) mstore(32, 1024) mstore(64, 1024) mstore(96, not(0)) mstore(1120, not(0)) mstore(2144, not(a)) r := add(r, staticcall(gas(), 5, 0, 3168, 0, 0)) }"},
		{"small modexp", "assembly { mstore(0, 32) mstore(32, 32) mstore(64, 32) mstore(96, not(0)) mstore(128, not(0)) mstore(160, not(a)) r := add(r, staticcall(gas(), 5, 0, 192, 0, 0)) }"},
		{"pairings", "assembly { r := add(r, staticcall(gas(), 8, 0, 1920, 0, 32)) }"},
		{"curve additions", "assembly { r := add(r, staticcall(gas(), 6, 0, 128, 0, 64)) }"},
		{"recovered signers", "r += uint160(ecrecover(bytes32(a), 27, bytes32(uint(1)), bytes32(uint(1))));"},
		{"sha256", "assembly { r := add(r, staticcall(gas(), 2, 0, 500000, 0, 32)) }"},
		{"ripemd", "assembly { r := add(r, staticcall(gas(), 3, 0, 100000, 0, 32)) }"},
		{"copies by precompile", "assembly { r := add(r, staticcall(gas(), 4, 0, 1000000, 0, 1000000)) }"},
		{"one blake2 of many rounds", "assembly { mstore8(0, 1) mstore8(1, 0x90) mstore8(212, 1) r := add(r, staticcall(gas(), 9, 0, 213, 0, 64)) }"},
		{"blake2", "assembly { mstore8(1, 1) r := add(r, staticcall(gas(), 9, 0, 213, 0, 64)) }"},
		{"points evaluated", "assembly { r := add(r, staticcall(gas(), 10, 0, 192, 0, 64)) }"},
		{"curve maps", "assembly { r := add(r, staticcall(gas(), 17, 0, 128, 0, 256)) }"},
		{"multiplications of points", "assembly { r := add(r, staticcall(gas(), 12, 0, 16000, 0, 128)) }"},
		{"divisions", "r ^= mulmod(a, r + i, type(uint).max - i) / (i + 1);"},
		{"powers", "assembly { r := xor(r, exp(or(a, 1), not(i))) }"},
		{"comparisons", "if (a ^ i == 0x123456789abcdef) r++; if (a + i > r) r ^= 1; assert(r != 99999);"},
		{"nothing", ""},
	} {
		list = append(list, Contract{Name: "endless loop of " + c.name, Source: looping(c.loop)})
	}
	return append(append(list, calls()...), data()...)
}

// looping is a contract with a statement in a bounded loop and in an endless
// one.
func looping(statement string) string {
	return file("contract Mayfly { constructor() { selfdestruct(payable(msg.sender)); } }",
		contract("uint n;",
			"function f(uint a) external { uint r; for (uint i = 1; i != 0; i++) { "+statement+" } n = r; }",
			"function h(uint a, uint b) external { uint r; unchecked { for (uint i = 0; i < b; i++) { "+statement+" } } n = r; assert(n != 4711); }",
			"function g(uint a) external returns (uint) { n += a; return n; }",
			"receive() external payable {}"))
}

// calls lists contracts that call and create in loops.
func calls() []Contract {
	return []Contract{
		{Name: "recursion through itself", Source: body("uint n;",
			"function f(uint a) external { n += a; this.f(a + 1); }",
			"function g(uint a) external { if (gasleft() > 5000) { try this.g(a) {} catch {} try this.g(a + 1) {} catch {} } n++; assert(n != 77); }")},
		{Name: "recursion with memory", Source: body("uint n;",
			"function f(uint a) external returns (bytes memory b) { b = new bytes(a % 100000); if (gasleft() > 100000) { bytes memory c = this.f(a); n += c.length; } assert(n != 77); }")},
		{Name: "recursion by delegatecall", Source: body("uint n;",
			"function f(bytes calldata d) external { n++; (bool ok,) = address(this).delegatecall(abi.encodeCall(this.f, (bytes.concat(d, d)))); assert(ok || n != 9); }")},
		{Name: "recursion without end inside", Source: body("uint n;",
			"function f(uint a) external { n = g(a); }", "function g(uint a) internal returns (uint) { return g(a + 1) + h(a); }", "function h(uint a) internal returns (uint) { n++; return g(a); }")},
		{Name: "calls of the caller", Source: body("mapping(address => uint) w; uint n;",
			"function f(bytes calldata d) external { for (uint i = 0; i < 50; i++) { (bool ok, bytes memory r) = msg.sender.call(d); n += r.length; w[msg.sender]++; ok; } assert(n != 77); }",
			"function d() external payable { w[msg.sender] += msg.value; }",
			"function g() external { (bool ok,) = msg.sender.call{value: w[msg.sender]}(''); require(ok); w[msg.sender] = 0; }")},
		{Name: "calls of anybody with anything", Source: body("uint n;",
			"function f(address t, bytes calldata d, uint v) external payable { for (uint i = 0; i < 100; i++) { (bool ok, bytes memory r) = t.call{value: v}(d); n += ok ? r.length : 1; } assert(n != 777); }",
			"function g(address t, bytes calldata d) external { (bool ok,) = t.delegatecall(d); require(ok); }")},
		{Name: "factory that is called back", Source: file(
			"interface F { function f(uint) external; }",
			"contract Child { F p; uint public n; constructor(F a, uint b) { p = a; n = b; } function f(uint a) external { n++; assert(n != 9); p.f(a); } }",
			contract("Child[] public all; uint n;",
				"function f(uint a) external { all.push(new Child(F(address(this)), a)); n++; assert(n != 9); all[0].f(a); }",
				"function g(uint a) external { for (uint i = 0; i < all.length; i++) all[i].f(a); }"))},
		{Name: "clones without end", Source: body("address[] all; uint n;",
			"function f(uint a) external { for (uint i = 0; i < a; i++) { bytes20 t = bytes20(address(this)); address c; assembly { let p := mload(0x40) mstore(p, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000) mstore(add(p, 0x14), t) mstore(add(p, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000) c := create(0, p, 0x37) } all.push(c); n++; } assert(n != 99); }",
			"function g(uint i, uint a) external { "+Name+"(all[i]).f(a); }")},
		{Name: "oracle that answers at length", Source: file(
			"interface Feed { function read(uint) external view returns (bytes memory, uint[] memory); function prices() external view returns (int[] memory); }",
			contract("Feed feed; uint n;", "constructor(Feed f) { feed = f; }",
				"function f(uint a) external { for (uint i = 0; i < 100; i++) { (bytes memory b, uint[] memory c) = feed.read(a + i); n += b.length + c.length; int[] memory p = feed.prices(); n ^= p.length; } assert(n != 77); }"))},
		{Name: "contracts that need each other", Source: file(
			times(30, "\n", "contract D%d { uint n; E%d e; constructor(E%d a, uint b) { e = a; n = b; require(b > %d); } function f(uint a) external { n += a; } }\ncontract E%d { F f; constructor(F a) { f = a; } }"),
			"interface F { function f(uint) external; }",
			contract(times(30, "\n", "D%d d%d;"), "constructor("+times(12, ", ", "D%d a%d")+") { "+times(12, " ", "d%d = a%d;")+" }",
				"function f(uint a) external { "+times(12, " ", "d%d.f(a);")+" }"))},
	}
}

// data lists contracts that copy much data.
func data() []Contract {
	return []Contract{
		{Name: "messages of megabytes", Source: body("uint n;",
			"function f(uint a) external { n++; assembly { mstore(0, shl(224, 0x08c379a0)) mstore(4, 32) mstore(36, a) revert(0, 3000000) } }",
			"function g(uint a) external { assembly { mstore(0, shl(224, 0x08c379a0)) mstore(4, 32) mstore(36, 2900000) revert(0, 3000000) } }",
			"function h(uint a) external { require(a != 5, string(new bytes(1000000))); n = a; try this.g(a) {} catch Error(string memory m) { n = bytes(m).length; } catch {} assert(n != 9); }")},
		{Name: "results of megabytes", Source: body("uint n;",
			"function f(uint a) public returns (bytes memory b) { n++; b = new bytes(3000000); b[a] = 0x41; }",
			"function g(uint a) external returns (uint[] memory b) { b = new uint[](a % 100000); b[b.length / 2] = a; n = b.length; assert(n != 4711); }",
			"function h() external view returns (bytes[] memory b) { b = new bytes[](50000); for (uint i = 0; i < b.length; i++) b[i] = 'x'; }",
			"function s() external returns (uint) { return this.f(7).length; }")},
		{Name: "strings that double", Source: body("bytes b; uint n;",
			"function f(bytes calldata d) external { b = bytes.concat(b, d, b); n = b.length; assert(n != 1111); }",
			"function g(uint a) external { bytes memory m = 'x'; for (uint i = 0; i < a; i++) m = bytes.concat(m, m); n = m.length; }")},
		{Name: "list that grows", Source: body("uint[] all; mapping(uint => uint[]) more; uint n;",
			"function f(uint a) external { for (uint i = 0; i < 1000; i++) all.push(a + i); n++; assert(n != 40); }",
			"function g() external { uint[] memory m = all; for (uint i = 0; i < m.length; i++) more[i].push(m[i]); n ^= m.length; }",
			"function d() external { delete all; }")},
		{Name: "large values in findings", Source: body("uint n;",
			"function f(bytes calldata d, string calldata s, uint[] calldata u) external { require(d.length > 500 && u.length > 20); assert(bytes(s).length < 400); n++; }",
			"function g(bytes[] calldata d) external pure { uint r; for (uint i = 0; i < d.length; i++) r += d[i].length; assert(r < 2000); }")},
		{Name: "a path for every list", Source: body("uint n;",
			"function f(uint[1000] calldata a, uint b) external { uint r; for (uint i = 0; i < a.length; i++) { if (a[i] > b) r ^= i; else if (a[i] % 3 == 1) r += a[i] & 255; } n = r; assert(n != 4711); }",
			"function g(uint[] calldata a) external { for (uint i = 0; i < a.length; i++) if (a[i] > i && a[i] & 1 == 0) n++; assert(n != 47); }")},
		{Name: "events of much", Source: body("event Much(bytes a, string b, uint[] c, bytes32 indexed d); uint n;",
			"function f(uint a) external { emit Much(new bytes(200000), string(new bytes(100000)), new uint[](1000), bytes32(a)); n++; assert(n != 30); }")},
		{Name: "memory from an argument", Source: body("uint n;",
			"function f(uint a, uint b) external { assembly { mstore(a, b) sstore(0, mload(b)) } assert(n != 77); }",
			"function g(uint a, uint b, uint c) external { assembly { calldatacopy(a, b, c) extcodecopy(address(), a, b, c) log0(a, b) return(b, c) } }")},
		{Name: "hooks for every transfer", Source: body("mapping(address => uint) public balanceOf; uint public totalSupply; address[] holders;",
			fmt.Sprintf("function transfer(address to, uint v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; holders.push(to); for (uint i = 0; i < holders.length * %d; i++) { (bool ok,) = holders[i %% holders.length].call(msg.data); ok; } return true; }", 50),
			"function mint(uint v) external { totalSupply += v; balanceOf[msg.sender] += v; assert(totalSupply != 4711); }")},
	}
}
