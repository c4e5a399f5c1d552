pragma solidity ^0.8.0;

// An initializer that is called once asserts that.
contract Terms {
    address private root;
    address public feed;
    address public vault;

    function core() public view returns (address) {
        return root;
    }

    function initialize(address by) external {
        assert(address(core()) == address(0)); // allow: assertion
        setRoot(by);
    }

    function refer(address first, address second) external {
        assert(feed == address(0) && vault == address(0)); // allow: assertion
        feed = first;
        vault = second;
    }

    function setRoot(address by) private {
        root = by;
    }
}
