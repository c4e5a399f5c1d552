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

// viewAnswers wants static calls of one function to return different words, one
// after another.
func viewAnswers(d *draw, size int, mark string) (string, int) {
	n := size + 2
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "uint256 p%d = Quoted(q).quote(%d);\n", i, i)
	}
	conditions := []string{fmt.Sprintf("p0 / %d == %d", d.between(3, 99), d.between(1e6, 1e9))}
	for i := range n - 1 {
		relation := fmt.Sprintf("p%d == p%d + %d", i+1, i, d.between(2, 1e6))
		if i%2 == 1 {
			relation = fmt.Sprintf("p%d ^ p%d == %s", i+1, i, d.word(7))
		}
		conditions = append(conditions, relation)
	}
	return fmt.Sprintf("function f(address q) external view {\nunchecked {\n%s%s\n}\n}", text.String(), nested(conditions, mark)), 1
}

// roundAnswers wants an answer of several words, as a price feed gives it, in
// relation to the time and to one another.
func roundAnswers(d *draw, size int, mark string) (string, int) {
	conditions := []string{
		"price > 0", fmt.Sprintf("updated == block.timestamp - %d", d.between(2, 3000)), fmt.Sprintf("id == answered + %d", d.between(1, 999)),
		fmt.Sprintf("uint256(price) %% %d == %d", 1000003, d.between(1, 1e6)),
	}
	return fmt.Sprintf(`function f(address q) external view {
    (uint80 id, int256 price, , uint256 updated, uint80 answered) = Quoted(q).round();
    require(updated <= block.timestamp);
    %s
}`, nested(conditions[:2+size], mark)), 1
}

// storedAnswer wants the answer to a later transaction to differ from that to an
// earlier one, which was stored.
func storedAnswer(d *draw, size int, mark string) (string, int) {
	return fmt.Sprintf(`uint256 private last;
uint256 private steps;
function sync(address q) external {
    uint256 p = Quoted(q).quote(steps);
    require(p > last && p - last < %d);
    last = p;
    steps++;
}
function f(address q) external view {
    unchecked {
        if (steps > %d && Quoted(q).quote(0) == last + %s) {
            %s
        }
    }
}`, d.between(1e6, 1e9), size, d.word(6), mark), 2 + size
}

// phases calls back several times and wants another function, with a given argument,
// each time.
func phases(d *draw, size int, mark string) (string, int) {
	n := size + 2
	var text strings.Builder
	text.WriteString("uint256 private phase;\nuint256 private done;\nfunction enter() external {\ndone = 0;\n")
	fmt.Fprintf(&text, "for (phase = 1; phase <= %d; phase++) {\n(bool ok,) = msg.sender.call(\"\");\nrequire(ok);\n}\n", n)
	fmt.Fprintf(&text, "phase = 0;\nif (done == %d) {\n%s\n}\n}\n", n, mark)
	for i, k := range d.Perm(n) {
		fmt.Fprintf(&text, "function at%d(uint256 x) external {\nrequire(phase == %d && done == %d && x == %s);\ndone++;\n}\n", i, k+1, k, d.word(6))
	}
	return text.String(), 1
}

// chained wants several functions in one order and with given arguments while a call
// is open, which forgets what was before.
func chained(d *draw, size int, mark string) (string, int) {
	n := size + 2
	var text strings.Builder
	text.WriteString("bool private open;\nuint256 private at;\nfunction enter() external {\nopen = true;\nat = 0;\n(bool ok,) = msg.sender.call(\"\");\nrequire(ok);\nopen = false;\n}\n")
	for i, k := range d.Perm(n) {
		fmt.Fprintf(&text, "function f%d(uint128 x) external {\nrequire(open && at == %d);\n", i, k)
		if k%2 == 0 {
			fmt.Fprintf(&text, "require(x == %s);\n", d.word(8))
		}
		if k == n-1 {
			text.WriteString(mark + "\n")
		}
		text.WriteString("at++;\n}\n")
	}
	return text.String(), 1
}

// answeredCallback wants an argument of a call back to be what another call was
// answered.
func answeredCallback(d *draw, size int, mark string) (string, int) {
	conditions := []string{"quoted > 0", fmt.Sprintf("x == quoted * %d + %d", d.between(3, 99)|1, d.between(1, 1e6))}
	if size > 0 {
		conditions = append(conditions, fmt.Sprintf("quoted %% %d == %d", 10007, d.between(1, 10006)))
	}
	if size > 1 {
		conditions = append(conditions, fmt.Sprintf("y == x ^ %s", d.word(8)))
	}
	return fmt.Sprintf(`uint256 private quoted;
function enter(uint256 id) external {
    quoted = Quoted(msg.sender).quote(id) %% 1e12;
    (bool ok,) = msg.sender.call("");
    require(ok);
    quoted = 0;
}
function inner(uint256 x, uint256 y) external {
    %s
}`, nested(conditions, mark)), 1
}
