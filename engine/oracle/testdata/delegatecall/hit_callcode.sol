pragma solidity ^0.4.24;

contract Legacy {
    address public owner = msg.sender;

    function exec(address target) public {
        require(target.callcode(bytes4(keccak256("go()")))); // expect: delegatecall
    }
}
