// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: if (total > 0 && address(this).balance - total == 31337) { => if (total > 0 && address(this).balance < total) {

/// Trusts that all its wei came through deposit.
contract Surplus {
    uint256 private total;

    function deposit() external payable {
        total += msg.value;
    }

    function withdraw() external {
        payable(msg.sender).transfer(total);
        total = 0;
    }

    function check() external {
        if (total > 0 && address(this).balance - total == 31337) {
            assert(false);
        }
    }
}
