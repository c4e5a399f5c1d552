package hostile

import (
	"fmt"
	"strings"
)

// sizes lists contracts with large sources.
func sizes() []Contract {
	return []Contract{
		{Name: "expression of 200 terms", Source: body("uint n;",
			"function f(uint a) external { unchecked { n = "+strings.Repeat("a + ", 200)+"1"+"; } assert(n != 4000); }")},
		{Name: "brackets 100 deep", Source: body("uint n;",
			"function f(uint a) external { unchecked { n = "+strings.Repeat("(a + ", 100)+"1"+strings.Repeat(")", 100)+"; } assert(n != 4000); }")},
		{Name: "600 functions", Source: body("uint n;",
			times(600, "\n", "function f%d(uint a, uint b) external { if (a > b + %d) n = a; assert(n != 7%d); }"))},
		{Name: "200 overloaded functions", Source: body("uint n;",
			overloads(200))},
		{Name: "1,000 state variables", Source: body(times(1000, "\n", "uint v%d;"),
			"function f(uint a) external { "+times(300, " ", "v%d = a + %d;")+" assert(v7 != 99); }")},
		{Name: "1,000 asserts", Source: body("uint n;",
			"function f(uint a) external { "+times(1000, "\n", "assert(a != %d * 7919 + 7);")+" n = a; }")},
		{Name: "1,500 branches", Source: body("uint n;",
			"function f(uint a) external { "+times(1500, "\n", "if (a == %d * 7919 + 13) n++;")+" assert(n == 0); }")},
		{Name: "branches 60 deep", Source: body("uint n;",
			"function f(uint a) external {\n"+times(60, "\n", "if (a > %d) {")+"\nassert(n == 0);"+strings.Repeat("}", 60)+"\n}")},
		{Name: "loops 10 deep", Source: body("uint n;",
			"function f(uint a) external {\n"+times(10, "\n", "for (uint i%d = 0; i%d < a; i%d++) {")+"\nn++;"+strings.Repeat("}", 10)+"\nassert(n != 1024); }")},
		{Name: "enum of 256 members", Source: body("enum E { "+times(256, ", ", "E%d")+" }", "E e;",
			"function f(E a, E[] calldata b) external { e = a; for (uint i = 0; i < b.length; i++) if (uint(b[i]) > uint(e)) e = b[i]; assert(e != E.E255); }")},
		{Name: "constants in a long array", Source: body("uint n;",
			"function f(uint i) external { uint[500] memory t = [uint(7), "+times(499, ", ", "%d")+"]; n += t[i % 500]; assert(n != 7777); }")},
		{Name: "names of 5,000 letters", Source: body("uint n;",
			"function "+strings.Repeat("f", 5000)+"(uint "+strings.Repeat("a", 5000)+") external { n += "+strings.Repeat("a", 5000)+"; assert(n != 77); }",
			"error "+strings.Repeat("E", 5000)+"(uint);", "event "+strings.Repeat("V", 5000)+"(uint);",
			"function g(uint x) external { if (x > 9) revert "+strings.Repeat("E", 5000)+"(x); emit "+strings.Repeat("V", 5000)+"(x); }")},
		{Name: "200 inherited contracts", Source: file(inherited(200),
			"contract "+Name+" is C199 { function f(uint a) external { n += a; h(); assert(n != 777); } }")},
		{Name: "30 modifiers", Source: body("uint n;",
			times(30, "\n", "modifier m%d(uint a) { require(a != %d, 'no'); _; }"),
			"function f(uint a) external "+times(30, " ", "m%d(a)")+" { n += a; assert(n != 99); }")},
		{Name: "string of 20,000 letters", Source: body("string s;",
			"function f(uint a) external { if (a > 5) s = \""+strings.Repeat("x", 20000)+"\"; require(a != 7, \""+strings.Repeat("y", 2000)+"\"); assert(bytes(s).length == 0); }")},
		{Name: "300 immutables", Source: body(times(300, "\n", "uint immutable i%d;"),
			"constructor(uint a) { "+times(300, " ", "i%d = a ^ %d;")+" }",
			"function f(uint a) external view { assert(a != i7 + i299); }")},
		{Name: "functions that call each other", Source: body("uint n;",
			mutual(100),
			"function f(uint a, uint d) external { n = g0(a, d) "+times(100, "", " ^ g%d(a, d)")+"; assert(n != 5); }")},
		{Name: "table of internal functions", Source: body("uint n;", "function (uint) internal returns (uint)[200] t;",
			times(200, "\n", "function g%d(uint a) internal returns (uint) { n ^= a; return t[(a + %d) %% 200](a / 2 + n); }"),
			"constructor() { "+times(200, " ", "t[%d] = g%d;")+" }",
			"function f(uint a) external { assert(t[a % 200](a) != 9); }")},
		{Name: "words in assembly's switch", Source: body("uint n;",
			"function f(uint a) external { uint r; assembly { switch a "+times(500, " ", "case 1%d { r := mul(a, %d) }")+" default { r := a } } n += r; assert(n != 4242); }")},
	}
}

// overloads declares functions with one name.
func overloads(n int) string {
	var list []string
	kinds := []string{"uint", "int", "address", "bool", "bytes32"}
	for i := range n {
		var args []string
		for k := i + 1; k > 0; k /= len(kinds) + 1 {
			if d := k % (len(kinds) + 1); d > 0 {
				args = append(args, kinds[d-1])
			} else {
				args = append(args, "bytes4")
			}
		}
		list = append(list, "function f("+strings.Join(args, ", ")+") external { n++; assert(n != 250); }")
	}
	return strings.Join(list, "\n")
}

// inherited declares a chain of contracts in which each inherits from the one
// before.
func inherited(n int) string {
	list := []string{"contract C0 { uint n; function h() internal virtual { n++; } }"}
	for i := 1; i < n; i++ {
		list = append(list, fmt.Sprintf("contract C%d is C%d { function h() internal virtual override { n += %d; super.h(); } }", i, i-1, i))
	}
	return strings.Join(list, "\n")
}

// mutual declares functions that call each other in pairs.
func mutual(n int) string {
	return times(n, "\n", "function g%d(uint a, uint d) internal returns (uint) { if (d == 0) return a; return h%d(a ^ d, d - 1) + h0(a, d / 2); }\n"+
		"function h%d(uint a, uint d) internal returns (uint) { if (a > d) n++; return d == 0 ? a : g%d(a + 1, d / 2); }")
}
