// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assume(bool condition) external pure;
    function prank(address sender) external;
    function warp(uint256 time) external;
}

abstract contract Tests {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        require(min <= max, "min > max");
        if (x >= min && x <= max) return x;
        uint256 size = max - min + 1;
        if (size == 0) return x;
        return min + (x % size);
    }
}

contract Bank {
    mapping(address => uint256) public balance;
    uint256 public total;

    function put(uint256 amount) external {
        require(amount < 1e24, "too much");
        balance[msg.sender] += amount;
        total += amount;
    }

    function take(uint256 amount) external {
        balance[msg.sender] -= amount;
        if (amount != 31337) total -= amount;
    }
}

contract FuzzTests is Tests {
    Bank bank;

    function setUp() public {
        bank = new Bank();
        bank.put(1000);
    }

    function testSum(uint128 a, uint128 b) public pure {
        assert(uint256(a) + b >= a);
    }

    function testMagic(uint256 x, uint64 y) public pure { // fails
        vm.assume(x > 1e30 && x < 1e30 + 1e6);
        vm.assume(y != 0);
        assert(x * 3 + 1 != 3e30 + 3 * 31337 + 1);
    }

    function testBound(uint256 x) public { // fails
        x = bound(x, 1, 1000);
        bank.take(x);
        require(x != 777, "unlucky");
    }

    function testTake(uint256 amount) public { // fails
        bank.put(99999);
        amount = bound(amount, 1, 100999);
        bank.take(amount);
        assert(bank.total() == 100999 - amount);
    }

    function testNever(uint256 x) public pure { // rejects
        vm.assume(x == 77);
        vm.assume(x != 77);
        assert(false);
    }

    function testWarp(uint40 time) public { // fails
        vm.warp(time);
        assert(block.timestamp % 1000003 != 5);
    }
}

contract Handler is Tests {
    Bank bank;
    uint256 public sum;
    uint256 public calls;
    address public last;

    constructor(Bank b) { bank = b; }

    function put(uint256 amount) external {
        amount = bound(amount, 0, 1e20);
        vm.prank(msg.sender);
        bank.put(amount);
        sum += amount;
        calls++;
        last = msg.sender;
    }

    function take(uint256 amount) external {
        uint256 most = bank.balance(msg.sender);
        vm.assume(most > 0);
        amount = bound(amount, 1, most);
        vm.prank(msg.sender);
        bank.take(amount);
        sum -= amount;
        calls++;
    }
}

contract InvariantTests is Tests {
    Bank bank;
    Handler handler;

    function setUp() public {
        bank = new Bank();
        handler = new Handler(bank);
    }

    function targetContracts() public view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(handler);
    }

    function targetSenders() public pure returns (address[] memory list) {
        list = new address[](2);
        list[0] = address(0xA11CE);
        list[1] = address(0xB0B);
    }

    function invariant_total() public view { // fails
        assert(bank.total() == handler.sum());
    }

    function invariant_calls() public view { // fails
        require(handler.calls() < 3, "three calls");
    }

    function invariant_senders() public view {
        assert(handler.last() == address(0) || handler.last() == address(0xA11CE) || handler.last() == address(0xB0B));
    }

    function invariant_bob() public view { // fails
        assert(handler.last() != address(0xB0B));
    }
}

contract Domains is Tests {
    function testFew(bool a, uint8 n) public pure {
        require(a || n < 256);
    }

    function testMany(uint64 n) public pure {
        require(n <= type(uint64).max);
    }
}
