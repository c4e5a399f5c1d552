// SPDX-License-Identifier: CC0-1.0
pragma solidity >=0.4.22;

library Sums {
    function total(uint256[] memory xs) internal pure returns (uint256 sum) {
        for (uint256 i = 0; i < xs.length; i++) sum += xs[i];
    }
}

contract Child {
    uint256 public seed;

    constructor(uint256 s) public {
        seed = s;
    }

    function poke(uint256 by) public returns (uint256) {
        seed += by;
        return seed;
    }
}

// Written so that every compiler since 0.4.22 takes it: dispatch over many
// functions, internal calls, function pointers, loops, modifiers, structs,
// external calls and a contained creation code.
contract Mixed {
    struct Account {
        uint128 balance;
        uint64 since;
        bool open;
    }

    event Moved(address indexed from, address indexed to, uint256 amount);

    address public owner;
    uint256 public counter;
    uint256 private state;
    Child public child;
    mapping(address => Account) public accounts;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256[] public history;
    function(uint256) internal returns (uint256) private step;

    modifier onlyOpen(address who) {
        require(accounts[who].open, "closed");
        _;
        assert(accounts[who].open);
    }

    constructor() public {
        owner = msg.sender;
        step = twice;
    }

    function twice(uint256 x) internal returns (uint256) {
        counter += 1;
        return x * 2;
    }

    function thrice(uint256 x) internal returns (uint256) {
        counter += 2;
        return x * 3;
    }

    function choose(bool big) public {
        if (big) step = thrice;
        else step = twice;
    }

    function apply_(uint256 x) public returns (uint256) {
        return step(x);
    }

    function open(uint128 amount) public {
        accounts[msg.sender] = Account(amount, uint64(now_()), true);
    }

    function now_() internal view returns (uint256) {
        return block.timestamp;
    }

    function move(address to, uint128 amount) public onlyOpen(msg.sender) returns (bool) {
        Account storage from = accounts[msg.sender];
        require(from.balance >= amount, "balance");
        from.balance -= amount;
        accounts[to].balance += amount;
        emit Moved(msg.sender, to, amount);
        return true;
    }

    function approve(address spender, uint256 amount) public {
        allowance[msg.sender][spender] = amount;
    }

    function record(uint256[] memory xs) public returns (uint256 sum) {
        sum = Sums.total(xs);
        for (uint256 i = 0; i < xs.length && i < 8; i++) history.push(xs[i]);
        if (history.length > 3) {
            state = 3;
        } else if (history.length > 1) {
            state = 1;
        }
    }

    function machine(uint256 a, uint256 b) public returns (uint256) {
        if (a == 1) {
            state = 1;
        } else if (a == 2 && state == 1) {
            state = 2;
        } else if (a % 7 == 3) {
            state = b % 5;
        }
        if (state == 2) {
            assert(b != 77);
            return 1;
        }
        require(state < 5);
        return state;
    }

    function loops(uint256 n, uint256 m) public pure returns (uint256 r) {
        uint256 bound = n % 2 == 0 ? 12 : 13;
        uint256 k = m % bound;
        while (k != bound) {
            k++;
            r += k;
        }
        assert(k == bound);
    }

    function text(bytes memory data, uint8 at) public pure returns (bytes32, uint256) {
        require(data.length > at);
        if (data[at] == 0x41) {
            return (keccak256(data), data.length);
        }
        return (bytes32(0), uint256(keccak256(abi.encodePacked(data, at))));
    }

    function spawn(uint256 s) public returns (uint256) {
        child = new Child(s);
        return child.poke(s / 2);
    }

    function ping(uint256 by) public returns (uint256) {
        require(address(child) != address(0));
        return child.poke(by);
    }

    function signed(int256 a, int8 b) public pure returns (int256) {
        require(b != 0);
        if (a < b) return a / b;
        if (a > int256(b) * 100) return a % b;
        return -a;
    }
}
