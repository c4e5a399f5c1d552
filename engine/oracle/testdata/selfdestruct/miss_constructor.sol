pragma solidity ^0.4.24;

contract Heir {
    address public heir;

    constructor(address who) public {
        heir = who;
    }

    function inherit() public {
        require(msg.sender == heir);
        selfdestruct(heir);
    }
}
