pragma solidity ^0.4.24;

contract CheckedLottery {
    address public winner;
    bool public paid;

    function play() public payable {
        winner = msg.sender;
    }

    function pay() public {
        require(!paid);
        paid = true;
        if (!winner.send(1 ether)) { // allow: ether-leak
            paid = false;
        }
    }

    function payOrRevert() public {
        winner.transfer(1 ether); // allow: ether-leak, dos-failed-call
    }
}
