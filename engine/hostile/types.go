package hostile

import (
	"fmt"
	"strings"
)

// types lists contracts with large or deep arguments.
func types() []Contract {
	var list []Contract
	for _, levels := range []int{6, 9, 12} {
		list = append(list,
			Contract{Name: fmt.Sprintf("struct nested %d deep", levels), Source: nested(levels, false)},
			Contract{Name: fmt.Sprintf("constructor with a struct nested %d deep", levels), Source: nested(levels, true)})
	}
	for _, elem := range []string{"bytes", "string", "uint[]", "bytes[]"} {
		list = append(list,
			Contract{Name: "struct of twelve " + elem + "[]", Source: twelve(elem, false)},
			Contract{Name: "constructor with twelve " + elem + "[]", Source: twelve(elem, true)})
	}
	for _, t := range []string{
		"uint" + strings.Repeat("[2]", 10), "uint" + strings.Repeat("[2]", 12), "uint" + strings.Repeat("[]", 8),
		"bytes" + strings.Repeat("[]", 6), "uint[64][64]", "uint[10000]", "bool[4096]", "bytes1[2048]", "bytes" + strings.Repeat("[2]", 7),
		"uint8[][64]", "function (uint) external[]", "uint" + strings.Repeat("[2][]", 5),
	} {
		list = append(list, Contract{Name: "argument of " + t, Source: argument(t), Unfuzzed: t == "uint[10000]"})
	}
	return append(list,
		Contract{Name: "struct of 1,000 members", Source: file(
			"struct Wide {\n"+times(1000, "\n", "uint m%d;")+"\n}",
			contract("uint n;", "function f(Wide calldata w) external { n += w.m999; assert(n != 42); }"))},
		Contract{Name: "structs side by side", Source: file(
			"struct A { bytes[] a; string[] b; uint[] c; }", "struct B { A[] a; A[] b; A c; }", "struct C { B[] a; B b; A[] c; }",
			contract("uint n;", "function f(C[] calldata a, B[] calldata b, A[] calldata c, C calldata d) external { n += a.length + b.length + c.length + d.a.length; assert(n < 1000); }"))},
	)
}

// nested declares structs, each with two fields of the one before, one of them
// a list.
func nested(levels int, constructor bool) string {
	var decls []string
	decls = append(decls, "struct S0 { uint x; uint[] y; }")
	for i := 1; i <= levels; i++ {
		decls = append(decls, fmt.Sprintf("struct S%d { S%d a; S%d[] b; uint y; }", i, i-1, i-1))
	}
	to := fmt.Sprintf("(S%d memory s)", levels)
	if constructor {
		return file(append(decls, contract("uint n;",
			"constructor"+to+" { require(s.b.length < 3 && s.y > 5); n = s.y; }",
			"function f(uint x) external { n += x; assert(n != 77); }"))...)
	}
	return file(append(decls, contract("uint n;",
		"function f"+strings.ReplaceAll(to, "memory", "calldata")+" external { require(s.y > 100); n += s.b.length; assert(n != 42); }"))...)
}

func twelve(elem string, constructor bool) string {
	many := "struct Many {\n" + times(12, "\n", elem+"[] m%d;") + "\n}"
	if constructor {
		return file(many, contract("uint n;",
			"constructor(Many memory m) { require(m.m3.length == 2 && m.m4.length == m.m5.length); n = m.m1.length; }",
			"function f(uint x) external { n += x; assert(n != 77); }"))
	}
	return file(many, contract("uint n;",
		"function f(Many calldata m) external { require(m.m1.length == m.m2.length); n += m.m3.length; assert(n < 100); }",
		"function g(Many[] calldata m) external { n ^= m.length; assert(n != 99); }"))
}

func argument(t string) string {
	return body("uint n;",
		"function f("+t+" calldata a) external { n += msg.data.length; require(n > 1000); a; assert(n != 123456); }",
		"function g(uint x, "+t+" calldata a, "+t+" calldata b) external { a; b; n += x; assert(n != 42); }")
}
