pragma solidity ^0.6.0;

// Once for each sender is not once.
contract Migrator {
    mapping(address => bool) public migrated;

    function migrate(address by) external {
        require(!migrated[msg.sender], "migrated");
        migrated[msg.sender] = true;
        (bool ok, ) = by.delegatecall(abi.encodeWithSignature("migrate()")); // expect: delegatecall
        require(ok);
    }
}
