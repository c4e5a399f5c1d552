pragma solidity ^0.8.0;

// Anybody has it call anything, itself as well: whatever is refused there is
// what was asked for, as if whoever asked had called. Malformed data is refused, too, some
// of it with Panic(0x41).
contract Relay {
    uint256 public total;
    uint256[] private parts;

    function relay(address target, bytes memory data) external returns (bool done) {
        require(target.code.length > 0, "nobody there");
        (done, ) = target.call(data);
    }

    function split(uint256[] memory amounts) external {
        require(amounts.length > 0, "nothing");
        parts = amounts;
    }

    function add(uint256 amount) external {
        require(msg.sender == address(this), "not for others");
        total += amount + 1; // allow: panic
    }
}
