// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC721Enumerable, ERC721} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";

contract Coin is ERC20Burnable, ERC20Permit, Ownable {
    constructor() ERC20("Coin", "COIN") ERC20Permit("Coin") Ownable(msg.sender) {
        _mint(msg.sender, 1_000_000);
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
        assert(totalSupply() >= amount);
    }
}

contract Deed is ERC721Enumerable, ReentrancyGuard {
    constructor() ERC721("Deed", "DEED") {
        for (uint256 i = 0; i < 4; i++) _mint(msg.sender, i);
    }

    function mint(address to, uint256 id) external nonReentrant {
        _safeMint(to, id);
    }

    function burn(uint256 id) external {
        _update(address(0), id, msg.sender);
        assert(_ownerOf(id) == address(0));
    }
}
