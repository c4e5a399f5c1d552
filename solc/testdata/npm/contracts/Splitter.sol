// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "openzeppelin-4/finance/PaymentSplitter.sol";

/// OpenZeppelin 4's payment splitter between the deployer and one other.
contract Splitter is PaymentSplitter {
    constructor(address other) payable PaymentSplitter(both(msg.sender, other), parts()) {}

    function both(address a, address b) private pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (a, b);
    }

    function parts() private pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (70, 30);
    }
}
