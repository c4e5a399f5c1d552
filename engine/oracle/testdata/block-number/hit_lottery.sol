pragma solidity ^0.4.24;

contract Lottery {
    function () public payable {}

    function guess(uint8 number) public payable {
        require(msg.value == 1 ether);
        uint8 answer = uint8(keccak256(abi.encodePacked(blockhash(block.number - 1)))) % 4; // expect: block-number
        if (number == answer) {
            msg.sender.transfer(2 ether);
        }
    }
}
