pragma solidity ^0.8.0;

// That 32 bits of time last until 2106 is known to all who use them.
contract Clock {
    uint32 public last;
    uint32 public lastBlock;
    uint32[] public waits;

    function tick() external {
        last = uint32(block.timestamp);
        lastBlock = uint32(block.number);
    }

    function wait() external {
        waits.push(uint32(block.number - lastBlock));
    }
}
