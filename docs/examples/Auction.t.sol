// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Auction} from "./Auction.sol";

// The cheatcodes that these tests use; forge-std has all.
interface Vm {
    function assume(bool) external pure;
    function deal(address, uint256) external;
    function prank(address) external;
    function assertEq(uint256, uint256) external pure;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

// What bidders do; the invariant holds after any sequence of these calls.
contract Bidders {
    Auction private auction;

    constructor(Auction to) {
        auction = to;
    }

    function bid(address bidder, uint96 amount) public {
        vm.deal(bidder, amount);
        vm.prank(bidder);
        auction.bid{value: amount}();
    }

    function cancel() external {
        vm.prank(auction.leader());
        auction.cancel();
    }
}

contract AuctionTest {
    Auction private auction;
    Bidders private bidders;

    function setUp() external {
        auction = new Auction();
        bidders = new Bidders(auction);
    }

    receive() external payable {}

    function testHighestBidLeads() external {
        bidders.bid(address(21), 10);
        bidders.bid(address(22), 20);
        vm.assertEq(auction.highest(), 20);
        require(auction.leader() == address(22));
    }

    function testOutbidIsPaidBack(uint96 first, uint96 second) external {
        vm.assume(first > 0 && second > first);
        bidders.bid(address(21), first);
        bidders.bid(address(22), second);
        vm.assertEq(auction.refunds(address(21)), first);
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(bidders);
    }

    function invariant_sellerCanClose() external {
        if (!auction.closed()) auction.close();
    }
}
