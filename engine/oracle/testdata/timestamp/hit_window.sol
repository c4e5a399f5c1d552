pragma solidity ^0.8.0;

// The last one to play within a minute wins.
contract LastOne {
    uint256 public last;
    address payable public leader;

    function play() external payable {
        require(msg.value == 1 ether);
        leader = payable(msg.sender);
        last = block.timestamp;
    }

    function claim() external {
        require(leader != address(0) && block.timestamp > last + 1 minutes); // expect: timestamp
        leader.transfer(address(this).balance); // allow: dos-failed-call, ether-leak
    }
}
