// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {ERC721A} from "erc721a/contracts/ERC721A.sol";

/// ERC721A: tokens minted in batches.
contract Batches is ERC721A("Batches", "BAT") {
    function mint(uint256 quantity) external payable {
        require(quantity <= 20 && msg.value >= quantity * 1 gwei, "price");
        _mint(msg.sender, quantity);
    }

    function collect(address payable to) external {
        require(balanceOf(to) > 0, "no holder");
        to.transfer(address(this).balance);
    }

    function burn(uint256 id) external {
        _burn(id, true);
    }
}
