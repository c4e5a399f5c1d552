pragma solidity ^0.8.0;

// The check looks at what initialize never sets.
contract Proxy {
    address public implementation;
    address private admin;

    function initialize(address logic, bytes calldata data) external {
        require(admin == address(0), "already initialized");
        implementation = logic;
        (bool ok, ) = logic.delegatecall(data); // expect: delegatecall
        require(ok);
    }
}
