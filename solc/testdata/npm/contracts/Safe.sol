// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

import "@gnosis.pm/safe-contracts/contracts/GnosisSafe.sol";

/// Gnosis' Safe without its proxy: the deployer owns it alone at first.
contract Safe is GnosisSafe {
    constructor() payable {
        address[] memory first = new address[](1);
        first[0] = msg.sender;
        threshold = 0;
        setupOwners(first, 1);
        setupModules(address(0), "");
    }
}
