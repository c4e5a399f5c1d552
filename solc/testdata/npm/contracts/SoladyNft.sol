// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {ERC721} from "solady/src/tokens/ERC721.sol";

/// solady's ERC-721, written in assembly; anybody mints the next one.
contract SoladyNft is ERC721 {
    uint256 private next;

    function name() public pure override returns (string memory) {
        return "Solady";
    }

    function symbol() public pure override returns (string memory) {
        return "SDY";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }

    function mint() external returns (uint256 id) {
        id = ++next;
        _safeMint(msg.sender, id);
    }

    function burn(uint256 id) external {
        _burn(msg.sender, id);
    }
}
