pragma solidity ^0.5.0;

contract EvenBlocks {
    function () external payable {}

    function play() external payable {
        require(msg.value == 1 ether);
        if (block.number % 2 == 0) { // expect: block-number
            msg.sender.transfer(2 ether);
        }
    }
}
