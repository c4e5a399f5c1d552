// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

// Re-entrant calls of add come before two calls of it in the search.
contract Units {
    uint8 public units;
    mapping(address => uint256) public pending;

    function add(uint8 more) external {
        unchecked {
            units = units + more;
        }
    }

    function tip() external payable {
        pending[msg.sender] += msg.value;
    }

    function rescue() external {
        (bool ok,) = msg.sender.call{value: pending[msg.sender]}("");
        require(ok);
        pending[msg.sender] = 0;
    }
}
