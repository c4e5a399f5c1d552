pragma solidity ^0.4.24;

contract Roulette {
    uint256 public pastBlockTime;

    function () public payable {
        require(msg.value == 10 ether);
        require(now != pastBlockTime);
        pastBlockTime = now;
        if (now % 15 == 0) { // expect: timestamp
            msg.sender.transfer(address(this).balance);
        }
    }
}
