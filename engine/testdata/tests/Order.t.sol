pragma solidity ^0.8.0;

contract Ledger {
    uint256 public total;
    mapping(address => uint256) public held;

    modifier counted() {
        total++;
        _;
    }

    function put(uint256 n) external counted { add(n); }

    function take(uint256 n) external {
        require(held[msg.sender] >= n, "too much");
        held[msg.sender] -= n;
    }

    function add(uint256 n) internal { held[msg.sender] += n; }
}

contract OrderTest {
    bool public constant IS_TEST = true;
    Ledger ledger;

    function setUp() external { ledger = new Ledger(); }

    function testNothing() external {}

    function testPut() external {
        ledger.put(5);
        require(ledger.held(address(this)) == 5);
    }

    function testTake() external {
        ledger.put(5);
        ledger.take(3);
    }

    function testFuzzPut(uint8 n) external { ledger.put(n); }

    function testFuzzNothing(uint8) external {}
}
