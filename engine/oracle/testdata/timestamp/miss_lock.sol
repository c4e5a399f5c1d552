pragma solidity ^0.8.0;

// Who locks says for how long; a lock of no time is the locker's decision.
contract Locker {
    struct Lock {
        uint256 amount;
        uint256 until;
    }

    mapping(address => Lock) public locks;

    function lock(uint256 time) external payable {
        require(locks[msg.sender].amount == 0, "locked");
        require(time < 36500 days, "too long");
        locks[msg.sender] = Lock(msg.value, block.timestamp + time);
    }

    function unlock() external {
        Lock memory mine = locks[msg.sender];
        require(mine.amount > 0 && block.timestamp >= mine.until, "locked");
        delete locks[msg.sender];
        payable(msg.sender).transfer(mine.amount);
    }
}
