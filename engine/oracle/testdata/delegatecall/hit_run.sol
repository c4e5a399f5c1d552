pragma solidity ^0.8.0;

contract Runner {
    address public owner = msg.sender;

    function run(address lib, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory out) = lib.delegatecall(data); // expect: delegatecall
        require(ok);
        return out;
    }
}
