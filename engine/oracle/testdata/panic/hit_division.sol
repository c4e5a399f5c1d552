pragma solidity ^0.8.0;

contract Split {
    function share(uint256 amount, uint256 people) external pure returns (uint256) {
        return amount / people; // expect: panic
    }
}
