pragma solidity ^0.6.0;

// The same calculation, which others rely on.
contract Loans {
    mapping(address => uint256) public owed;

    function interest(uint256 amount, uint256 time) public pure returns (uint256) {
        return amount * 7 * time / 1000; // expect: overflow
    }

    function take(uint256 amount) external {
        owed[msg.sender] = amount + interest(amount, 365); // allow: overflow
    }
}
