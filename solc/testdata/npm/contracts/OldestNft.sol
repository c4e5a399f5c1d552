// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

import "zeppelin-solidity/contracts/token/ERC721/ERC721Token.sol";

/// OpenZeppelin 1's enumerable ERC-721; anybody mints the next one.
contract OldestNft is ERC721Token("Oldest", "OLD") {
    uint256 private next;

    function mint(string uri) external {
        _mint(msg.sender, ++next);
        _setTokenURI(next, uri);
    }

    function burn(uint256 id) external {
        require(ownerOf(id) == msg.sender, "not yours");
        _burn(msg.sender, id);
    }
}
