package hostile

// deployments lists contracts that are hard to deploy.
func deployments() []Contract {
	const f = "function f(uint a) external { n += a; assert(n != 777); }"
	var list []Contract
	for _, c := range []struct{ name, constructor string }{
		{"endless", "constructor(uint a) { for (uint i = 1; i != 0; i++) { n ^= a * i; } }"},
		{"endless after a condition", "constructor(uint a, uint b) { require(a > 77); while (b > 3) { n = n * b + a; } }"},
		{"with a long loop and a riddle", "constructor(uint a) { for (uint i = 0; i < 20000; i++) n ^= a + i; require(keccak256(abi.encode(n, a)) == bytes32(uint(1))); }"},
		{"with one blake2 of many rounds", "constructor(uint a) { assembly { mstore8(0, 1) mstore8(1, 0x90) mstore8(212, 1) pop(staticcall(gas(), 9, 0, 213, 0, 64)) } require(a == 0x1234567890); }"},
		{"with many lists", "constructor(uint[] memory a, bytes[] memory b, string[] memory c, uint[][] memory d, bytes32 e) { require(a.length == b.length && c.length == d.length && keccak256(abi.encode(a, b, c, d)) == e); n = 1; }"},
		{"that creates 100 contracts", "constructor() { for (uint i = 0; i < 100; i++) new Small(i); }"},
		{"that calls itself", "constructor(uint a) { try this.f(a) {} catch { n = 1; } (bool ok,) = msg.sender.call(abi.encode(a)); ok; }"},
		{"that needs much memory", "constructor(uint a) { bytes memory b = new bytes(3000000); b[a] = 0x41; n = uint(keccak256(b)); }"},
		{"that creates itself in turn", "constructor(uint a) { if (a > 0 && a < 200) { new Again(a - 1); } n = a; }"},
	} {
		list = append(list, Contract{Name: "constructor " + c.name, Unfuzzed: true, Source: file(
			"contract Small { uint n; constructor(uint a) { n = a; } function g(uint a) external { n += a; assert(n != 1234567); } }",
			"contract Again { uint n; constructor(uint a) { if (a > 0) new Again2(a - 1); n = a; } }",
			"contract Again2 { uint n; constructor(uint a) { n = a; if (a > 0) { address x = address(new Small(a)); x; } } }",
			contract("uint n;", c.constructor, f))})
	}
	return append(list,
		Contract{Name: "set-up without end", Unfuzzed: true, Source: body("uint n;", "function setUp() external { while (true) n++; }", f)},
		Contract{Name: "set-up that creates 500 contracts", Source: file("contract Small { uint n; function g(uint a) external { n += a; assert(n != 1234567); } }",
			contract("uint n; Small[] all;", "function setUp() external { for (uint i = 0; i < 500; i++) all.push(new Small()); }", f))},
		Contract{Name: "initializer without end", Source: body("uint n; bool done;", "modifier initializer() { require(!done); done = true; _; }",
			"function initialize(uint a, uint[] calldata b) external initializer { for (uint i = 0; i < a; i++) n ^= b.length + i; require(n == 0x1234567890abcdef); }", f)},
		Contract{Name: "property without end", Source: body("uint n;", "function echidna_n() external view returns (bool) { uint r; for (uint i = 1; i != 0; i++) r ^= n * i; return r != 1; }",
			"function invariant_n() external view { for (uint i = 0; i < n; i++) assert(i != 77777777); }", f)},
		Contract{Name: "200 properties", Source: body("uint n;", times(200, "\n", "function echidna_p%d() external view returns (bool) { return n != 1%d; }"), f)},
	)
}
