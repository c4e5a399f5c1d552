// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: spare = spare + amount; => spare = spare + amount; total += amount;

/// A property does not hold.
contract Sum {
    uint256 total;
    uint256 spare;

    function put(uint128 amount) external payable {
        total += amount;
    }

    function keep(uint128 amount) external {
        spare = spare + amount;
    }

    function property_spare() external view returns (bool) {
        return spare <= total;
    }
}
