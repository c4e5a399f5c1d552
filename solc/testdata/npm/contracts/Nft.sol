// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// OpenZeppelin's ERC-721; anybody mints the next one.
contract Nft is ERC721 {
    uint256 private next;

    constructor() ERC721("Nft", "NFT") {}

    function mint() external returns (uint256 id) {
        id = ++next;
        _safeMint(msg.sender, id);
    }

    function burn(uint256 id) external {
        _checkAuthorized(_ownerOf(id), msg.sender, id);
        _burn(id);
    }
}
