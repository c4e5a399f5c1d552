pragma solidity ^0.6.0;

// The owner empties a list of the owner's own.
contract Registry {
    address immutable owner = msg.sender;
    address[] public entries;

    function add(address entry) external {
        require(msg.sender == owner, "not the owner");
        entries.push(entry);
    }

    function removeLast() external {
        require(msg.sender == owner, "not the owner");
        delete entries[entries.length - 1];
        entries.pop();
    }

    function count() external view returns (uint256) {
        return entries.length;
    }
}
