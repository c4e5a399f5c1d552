pragma solidity ^0.5.0;

// How long a transfer waits is given at deployment.
contract Waiting {
    uint256 public delay;
    address payable public to;
    uint256 public since;
    uint256 public amount;

    constructor(uint256 seconds_) public payable {
        delay = seconds_;
    }

    function announce() public payable {
        require(amount == 0);
        to = msg.sender;
        amount = msg.value;
        since = now;
    }

    function execute() public {
        require(amount > 0 && now >= since + delay); // allow: overflow
        uint256 all = amount;
        amount = 0;
        to.transfer(all); // allow: dos-failed-call
    }
}
