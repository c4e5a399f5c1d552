pragma solidity ^0.6.0;

contract Dice {
    receive() external payable {}

    function roll() external payable {
        require(msg.value == 1 ether);
        uint256 random = uint256(keccak256(abi.encodePacked(block.timestamp, msg.sender))) % 6; // expect: timestamp
        if (random == 3) {
            msg.sender.transfer(2 ether);
        }
    }
}
