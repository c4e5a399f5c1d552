pragma solidity ^0.4.24;

contract Game {
    bool public started;
    address public rules;

    function start(address by) public {
        require(!started);
        started = true;
        rules = by;
        require(by.delegatecall(bytes4(keccak256("start()")))); // allow: delegatecall
    }
}
