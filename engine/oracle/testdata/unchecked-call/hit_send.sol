pragma solidity ^0.4.24;

contract Lottery {
    address public winner;
    uint256 public prize = 1 ether;
    bool public paid;

    function play() public payable {
        winner = msg.sender;
    }

    function pay() public {
        require(!paid);
        paid = true;
        winner.send(prize); // expect: unchecked-call // allow: gasless-send, dos-failed-call, ether-leak
    }
}
