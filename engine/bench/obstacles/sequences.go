package obstacles

import (
	"fmt"
	"strings"
)

// counter wants many calls of one function.
func counter(d *draw, size int, mark string) (string, int) {
	n := d.between(4, 6) << size
	return fmt.Sprintf(`uint256 private n;
function up() external {
    n++;
}
function reset(uint256 x) external {
    if (x > n) n = 0;
}
function f() external {
    if (n == %d) {
        %s
    }
}`, n, mark), n + 1
}

// dial wants functions in one order; others start it anew.
func dial(d *draw, size int, mark string) (string, int) {
	var text strings.Builder
	n := 4 + 3*size
	text.WriteString("uint256 private at;\n")
	for i, place := range d.Perm(n) {
		fmt.Fprintf(&text, "function f%d() external {\nat = at == %d ? at + 1 : 0;\n", i, place)
		if place == n-1 {
			fmt.Fprintf(&text, "if (at == %d) {\n%s\n}\n", n, mark)
		}
		text.WriteString("}\n")
	}
	return text.String(), n
}

// pairs wants matching calls of different senders.
func pairs(d *draw, size int, mark string) (string, int) {
	n := 2 + size
	return fmt.Sprintf(`address private last;
mapping(address => uint256) private offers;
uint256 private matched;
function offer(uint256 x) external {
    require(x > %d);
    offers[msg.sender] = x;
    last = msg.sender;
}
function take(uint256 x) external {
    require(last != address(0) && msg.sender != last && offers[last] + x == %d);
    last = address(0);
    matched++;
    if (matched == %d) {
        %s
    }
}`, d.between(10, 1000), d.between(1e6, 1e9), n, mark), 2 * n
}

// turns wants many calls of two senders in turn.
func turns(d *draw, size int, mark string) (string, int) {
	n := d.between(2, 3) << size
	return fmt.Sprintf(`address private last;
uint256 private n;
function turn() external {
    if (msg.sender == last) n = 0;
    else n++;
    last = msg.sender;
    if (n == %d) {
        %s
    }
}
function leave() external {
    last = address(0);
    n = 0;
}`, n, mark), n
}

// toggles wants a pattern of bits, of which each function flips some.
func toggles(d *draw, size int, mark string) (string, int) {
	n := 4 + 2*size
	var text strings.Builder
	text.WriteString("uint256 private bits;\n")
	want, least := 0, 0
	for i, at := range d.Perm(n) {
		mask := 1<<i | d.IntN(1<<i)
		if at < n/2+1 {
			want ^= mask
			least++
		}
		fmt.Fprintf(&text, "function flip%d() external {\nbits ^= %#x;\n}\n", i, mask)
	}
	fmt.Fprintf(&text, "function f() external {\nif (bits == %#x) {\n%s\n}\n}", want, mark)
	return text.String(), least + 1
}

// lock is a combination lock: each dial turns only while the one before it shows a
// number, and the lock opens at other numbers.
func lock(d *draw, size int, mark string) (string, int) {
	n, least := 2+size, 1
	var text strings.Builder
	var conditions []string
	for i := range n {
		digits := d.between(5, 7)
		open, key := d.between(1, digits-1), d.between(0, digits-1)
		last := i == n-1
		if last {
			key = open
		}
		fmt.Fprintf(&text, "uint256 private dial%d;\nfunction turn%d() external {\n", i, i)
		if i > 0 {
			fmt.Fprintf(&text, "require(dial%d == key%d);\n", i-1, i-1)
		}
		fmt.Fprintf(&text, "dial%d = (dial%d + 1) %% %d;\n}\n", i, i, digits)
		if !last {
			fmt.Fprintf(&text, "uint256 private constant key%d = %d;\n", i, key)
		}
		conditions = append(conditions, fmt.Sprintf("dial%d == %d", i, open))
		least += key + (open-key+digits)%digits
	}
	fmt.Fprintf(&text, "function f() external {\n%s\n}", nested(conditions, mark))
	return text.String(), least
}

// queue wants items that leave in the order in which they have to come.
func queue(d *draw, size int, mark string) (string, int) {
	n := 2 + size
	return fmt.Sprintf(`uint256[] private items;
uint256 private head;
uint256 private done;
function put(uint256 x) external {
    require(items.length - head < %d);
    items.push(x);
}
function take() external {
    require(head < items.length);
    uint256 x = items[head++];
    done = x == %s + done * %d ? done + 1 : 0;
    if (done == %d) {
        %s
    }
}`, n, d.word(4), d.between(3, 99), n, mark), 2 * n
}

// quorum wants a value that several senders confirm.
func quorum(d *draw, size int, mark string) (string, int) {
	n := 2 + size
	return fmt.Sprintf(`struct Proposal {
    uint256 votes;
    bool done;
}
mapping(uint256 => Proposal) private proposals;
mapping(uint256 => mapping(address => bool)) private voted;
function propose(uint256 id) external {
    require(id %% %d == %d && proposals[id].votes == 0);
    proposals[id].votes = 1;
    voted[id][msg.sender] = true;
}
function vote(uint256 id) external {
    require(proposals[id].votes > 0 && !voted[id][msg.sender]);
    voted[id][msg.sender] = true;
    proposals[id].votes++;
}
function run(uint256 id) external {
    if (proposals[id].votes == %d) {
        %s
    }
}`, 997, d.between(1, 996), n, mark), n + 1
}

// handshakes wants senders that name one another.
func handshakes(d *draw, size int, mark string) (string, int) {
	n := 1 + size
	return fmt.Sprintf(`mapping(address => address) private partner;
mapping(address => uint256) private stake;
uint256 private met;
function name(address other, uint256 amount) external {
    require(other != msg.sender && other != address(0) && amount > %d);
    partner[msg.sender] = other;
    stake[msg.sender] = amount;
    if (partner[other] == msg.sender && stake[other] == amount + %d) {
        met++;
        delete partner[msg.sender];
        delete partner[other];
    }
}
function f() external {
    if (met == %d) {
        %s
    }
}`, d.between(1, 1e6), d.between(1, 1e6), n, mark), 2*n + 1
}
