// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A buyer chooses whom to buy from: a seller who refuses blocks nobody else.
contract Market {
    struct Offer {
        address seller;
        uint256 price;
    }

    mapping(uint256 => Offer) public offers;
    uint256 public count;

    function offer(uint256 price) external {
        offers[count++ % 4] = Offer(msg.sender, price);
    }

    function buy(uint256 id) external payable { // allow: panic
        Offer memory o = offers[id];
        require(msg.value == o.price);
        require(o.seller != address(0));
        (bool ok,) = o.seller.call{value: msg.value}("");
        require(ok);
    }

    function pay(address to) external payable {
        (bool ok,) = to.call{value: msg.value}("");
        require(ok);
    }
}
