// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: reentrancy
// fix: uint256 next = visits + 1; => require(!busy); busy = true; uint256 next = visits + 1;

/// Re-entering loses a visit, without a profit.
contract Counter {
    uint256 public visits;
    uint256 public guests;
    bool busy;

    function visit() external {
        uint256 next = visits + 1;
        guests += 1;
        (bool ok, ) = msg.sender.call("");
        require(ok);
        visits = next;
        busy = false;
    }
}
