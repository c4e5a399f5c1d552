pragma solidity ^0.6.0;

// A project initializes its proxy at once; that somebody may come first is a note.
contract Proxy {
    address private implementation;

    function initialize(address logic, bytes calldata data) external payable {
        require(implementation == address(0), "already initialized");
        implementation = logic;
        if (data.length > 0) {
            (bool ok, ) = logic.delegatecall(data); // allow: delegatecall
            require(ok);
        }
    }
}
