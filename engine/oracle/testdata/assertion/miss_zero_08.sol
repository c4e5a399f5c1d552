pragma solidity ^0.8.0;

contract Ledger {
    mapping(address => uint256) public balanceOf;

    function credit(address to, uint256 amount) external {
        assert(address(0) != to); // allow: assertion
        balanceOf[to] = amount;
    }
}
