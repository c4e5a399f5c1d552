// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20CappedUpgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20CappedUpgradeable.sol";
import {ERC20PausableUpgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/extensions/ERC20PausableUpgradeable.sol";
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";

/// OpenZeppelin's upgradeable token, capped and pausable; whoever initializes
/// it owns it.
contract UpgradeableToken is ERC20CappedUpgradeable, ERC20PausableUpgradeable, OwnableUpgradeable {
    function initialize(uint256 cap) external initializer {
        __ERC20_init("Upgradeable", "UPG");
        __ERC20Capped_init(cap);
        __Ownable_init(msg.sender);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function _update(address from, address to, uint256 amount)
        internal
        override(ERC20CappedUpgradeable, ERC20PausableUpgradeable)
    {
        super._update(from, to, amount);
    }
}
