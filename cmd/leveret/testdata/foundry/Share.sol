// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: panic
// fix: return amount / parts; => return parts == 0 ? 0 : amount / parts;

/// A compiler check fails.
contract Share {
    function share(uint256 amount, uint256 parts) external pure returns (uint256) {
        return amount / parts;
    }
}
