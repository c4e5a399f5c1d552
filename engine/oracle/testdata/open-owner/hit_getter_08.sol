pragma solidity ^0.8.0;

abstract contract Owned {
    address private _owner = msg.sender;

    function owner() public view returns (address) {
        return _owner;
    }

    modifier onlyOwner() {
        require(owner() == msg.sender, "not the owner");
        _;
    }

    function _transferOwnership(address next) internal {
        _owner = next; // expect: open-owner
    }
}

contract Registry is Owned {
    mapping(bytes32 => address) public records;

    function migrate(address next, bytes32 reason) external {
        require(next != address(0) && reason != 0, "empty");
        _transferOwnership(next);
    }

    function set(bytes32 name, address to) external onlyOwner {
        records[name] = to;
    }
}
