pragma solidity ^0.8.0;

// The amount grows evenly with time.
contract Vesting {
    uint256 public start = block.timestamp;
    uint256 public constant DURATION = 365 days;
    uint256 public released;
    address payable public beneficiary = payable(msg.sender);

    receive() external payable {}

    function release() external {
        uint256 total = address(this).balance + released;
        uint256 elapsed = block.timestamp - start;
        uint256 vested = elapsed >= DURATION ? total : total * elapsed / DURATION;
        uint256 amount = vested - released;
        released = vested;
        beneficiary.transfer(amount);
    }
}
