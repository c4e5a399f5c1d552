pragma solidity ^0.8.18;

contract Coin {
    receive() external payable {}

    function flip(bool heads) external payable {
        require(msg.value == 1 ether, "stake");
        bool up = block.prevrandao % 2 == 0; // expect: block-number
        if (up == heads) {
            payable(msg.sender).transfer(2 ether);
        }
    }
}
