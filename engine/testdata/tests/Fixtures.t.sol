// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Only the fixtures have the numbers that the tests are about.
abstract contract Secrets {
    uint256 seed;
    mapping(bytes32 => uint256) known;

    function setUp() public virtual {
        seed = gasleft() * 0x1234567;
        for (uint256 i = 1; i < 10; i++) known[keccak256(abi.encode(secret(i)))] = i;
        known[keccak256(abi.encode(uint248(secret(1))))] = 1;
        known[keccak256(abi.encode(address(uint160(secret(4)))))] = 4;
    }

    function secret(uint256 n) internal view returns (uint256) {
        return uint256(keccak256(abi.encode(seed, n)));
    }

    function check(uint256 x, uint256 n) internal view {
        assert(known[keccak256(abi.encode(x))] != n);
    }
}

contract FunctionFixtures is Secrets {
    function fixtureAmount() public view returns (uint256[] memory list) {
        list = new uint256[](3);
        for (uint256 i; i < 3; i++) list[i] = secret(i);
    }

    function fixture_Owner() public view returns (address[2] memory list) {
        list[1] = address(uint160(secret(4)));
    }

    function testSecond(uint256 amount) public view { // fails
        check(amount, 1);
    }

    function testOther(uint256 amounts) public view {
        check(amounts, 1);
    }

    function testOtherType(uint248 amount) public view {
        check(amount, 1);
    }

    function testTwo(address _owner, uint256 amount_) public view { // fails
        if (known[keccak256(abi.encode(_owner))] == 4) check(amount_, 2);
    }
}

contract ArrayFixtures is Secrets {
    uint256[] public fixture_amount;
    bytes32[] public fixtureWord;

    function setUp() public override {
        super.setUp();
        for (uint256 i; i < 5; i++) fixture_amount.push(secret(i));
        fixtureWord.push(bytes32(secret(9)));
    }

    function testLast(uint256 amount) public view { // fails
        check(amount, 4);
    }

    function testWord(bytes32 word) public view { // fails
        check(uint256(word), 9);
    }
}

contract Store {
    uint256 public kept;

    function keep(uint256 amount) external { kept = amount; }
}

contract HandlerFixtures is Secrets {
    Store store;

    function setUp() public override {
        super.setUp();
        store = new Store();
    }

    function fixtureAmount() public view returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = secret(7);
    }

    function invariant_notKept() public view { // fails
        check(store.kept(), 7);
    }
}
