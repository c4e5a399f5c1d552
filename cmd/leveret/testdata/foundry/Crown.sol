// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: dos-failed-call
// fix: require(ok, "the old king must be paid"); => if (!ok) owed[old] += msg.value;

/// A king that rejects payments stays king.
contract Crown {
    address public king;
    uint256 public price = 1;
    mapping(address => uint256) public owed;

    function claim() external payable {
        require(msg.value >= price);
        address old = king;
        king = msg.sender;
        price = msg.value + 1;
        if (old != address(0)) {
            (bool ok, ) = old.call{value: msg.value}("");
            require(ok, "the old king must be paid");
        }
    }
}
