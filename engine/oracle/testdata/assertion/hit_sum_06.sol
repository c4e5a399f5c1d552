pragma solidity ^0.6.0;

// The sum of all is asserted where one is changed.
contract Ledger {
    mapping(address => uint256) public balances;
    uint256 public total = 1000;

    constructor() public {
        balances[msg.sender] = 1000;
    }

    function give(address to, uint16 amount) external {
        balances[to] += amount;
        check(to);
    }

    function check(address who) internal view {
        assert(balances[who] <= total); // expect: assertion
    }
}
