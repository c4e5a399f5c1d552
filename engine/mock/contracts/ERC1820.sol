// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// The registry that tells who implements what for whom. On every chain it
/// stands at one address, which contracts have written into them.
contract ERC1820 {
    event InterfaceImplementerSet(address indexed account, bytes32 indexed interfaceHash, address indexed implementer);
    event ManagerChanged(address indexed account, address indexed newManager);

    mapping(address => mapping(bytes32 => address)) private implementers;
    mapping(address => address) private managers;

    function getInterfaceImplementer(address account, bytes32 hash) external view returns (address) {
        return implementers[account == address(0) ? msg.sender : account][hash];
    }

    function setInterfaceImplementer(address account, bytes32 hash, address implementer) external {
        account = account == address(0) ? msg.sender : account;
        require(getManager(account) == msg.sender, "Not the manager");
        implementers[account][hash] = implementer;
        emit InterfaceImplementerSet(account, hash, implementer);
    }

    function setManager(address account, address newManager) external {
        require(getManager(account) == msg.sender, "Not the manager");
        managers[account] = newManager == account ? address(0) : newManager;
        emit ManagerChanged(account, newManager);
    }

    function getManager(address account) public view returns (address) {
        return managers[account] == address(0) ? account : managers[account];
    }

    function interfaceHash(string calldata name) external pure returns (bytes32) {
        return keccak256(abi.encodePacked(name));
    }
}
