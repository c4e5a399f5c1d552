pragma solidity ^0.8.0;

// The contract itself chooses what is called, and goes on when that fails.
contract Keeper {
    uint256 public share;

    function settle(uint256 people) external returns (bool done) {
        (done, ) = address(this).call(abi.encodeWithSelector(this.divide.selector, people));
    }

    function divide(uint256 people) external {
        require(msg.sender == address(this), "not for others");
        share = 1000 / people; // expect: panic
    }
}
