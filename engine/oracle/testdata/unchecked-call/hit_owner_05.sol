pragma solidity ^0.5.0;

contract Shop {
    address payable owner = msg.sender;
    uint256 public sold;

    function buy() external payable {
        require(msg.value >= 1 finney);
        sold++; // allow: overflow
        owner.send(address(this).balance); // expect: unchecked-call
    }
}
