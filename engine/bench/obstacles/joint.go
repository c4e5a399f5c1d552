package obstacles

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// linear has as many linear equations as arguments.
func linear(d *draw, size int, mark string) (string, int) {
	n := 2 + size
	x, values := names("x", n), make([]int64, n)
	for i := range values {
		values[i] = d.Int64N(1 << 40)
	}
	var conditions []string
	for range n {
		var terms []string
		sum := new(big.Int)
		for i := range n {
			k := int64(d.between(2, 99))
			terms = append(terms, fmt.Sprintf("%d * %s", k, x[i]))
			sum.Add(sum, new(big.Int).Mul(big.NewInt(k), big.NewInt(values[i])))
		}
		conditions = append(conditions, fmt.Sprintf("%s == %d", strings.Join(terms, " + "), sum))
	}
	return fmt.Sprintf("function f(%s) external {\nunchecked {\n%s\n}\n}", parameters("uint256", x), nested(conditions, mark)), 1
}

// ordered is an array whose elements increase, with a given sum and a given
// difference of the last and the first.
func ordered(d *draw, size int, mark string) (string, int) {
	n := 3 + size
	sum, x, first := 0, d.between(1, 1e6), 0
	for i := range n {
		if i == 0 {
			first = x
		}
		sum += x
		if i < n-1 {
			x += d.between(1, 1e6)
		}
	}
	return fmt.Sprintf(`function f(uint256[] calldata x) external {
    require(x.length == %d);
    uint256 sum = x[0];
    for (uint256 i = 1; i < x.length; i++) {
        require(x[i] > x[i - 1]);
        sum += x[i];
    }
    if (sum == %d) if (x[%d] - x[0] == %d) {
        %s
    }
}`, n, sum, n-1, x-first, mark), 1
}

// sums are two sums over a loop, one of them weighted.
func sums(d *draw, size int, mark string) (string, int) {
	n := 3 + 2*size
	plain, weighted := uint64(0), uint64(0)
	for i := range n {
		x := uint64(d.between(1, 1e9))
		plain += x
		weighted += uint64(i+1) * x
	}
	return fmt.Sprintf(`function f(uint32[%d] calldata x) external {
    uint256 sum;
    uint256 weighted;
    for (uint256 i = 0; i < %d; i++) {
        sum += x[i];
        weighted += (i + 1) * x[i];
    }
    if (sum == %d && weighted == %d) {
        %s
    }
}`, n, n, plain, weighted, mark), 1
}

// products is a product of sums with a given sum of all.
func products(d *draw, size int, mark string) (string, int) {
	n := 3 + size
	x, values := names("x", n), make([]uint64, n)
	total := uint64(0)
	for i := range values {
		values[i] = uint64(d.between(100, 10000))
		total += values[i]
	}
	conditions := []string{
		fmt.Sprintf("(uint256(x0) + x1) * (uint256(x1) + x2) == %d", (values[0]+values[1])*(values[1]+values[2])),
		fmt.Sprintf("uint256(%s) == %d", strings.Join(x, ") + uint256("), total),
	}
	for i := 3; i < n; i++ {
		conditions = append(conditions, fmt.Sprintf("uint256(x%d) * x%d == %d", i, i-1, values[i]*values[i-1]))
	}
	return fmt.Sprintf("function f(%s) external {\n%s\n}", parameters("uint64", x), nested(conditions, mark)), 1
}

// inverses are rounds of invertible operations on one argument, and a masked
// relation to the other.
func inverses(d *draw, size int, mark string) (string, int) {
	x, y := d.Uint64(), d.Uint64()
	h := x
	var steps []string
	for range 1 << size {
		r, k, odd, add := d.between(5, 59), d.Uint64(), d.Uint64()|1, d.Uint64()
		h = bits.RotateLeft64(h^k, r)*odd + add
		steps = append(steps, fmt.Sprintf("h ^= %#x;\nh = (h << %d) | (h >> %d);\nh = h * %#x + %#x;", k, r, 64-r, odd, add))
	}
	mask := d.Uint64()
	conditions := []string{fmt.Sprintf("h == %#x", h), fmt.Sprintf("(x ^ y) & %#x == %#x", mask, (x^y)&mask), "y > x"}
	if y < x {
		conditions[2] = "y < x"
	}
	return fmt.Sprintf("function f(uint64 x, uint64 y) external {\nunchecked {\nuint64 h = x;\n%s\n%s\n}\n}", strings.Join(steps, "\n"), nested(conditions, mark)), 1
}
