// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

import "openzeppelin-2/contracts/crowdsale/distribution/RefundableCrowdsale.sol";
import "openzeppelin-2/contracts/crowdsale/emission/MintedCrowdsale.sol";
import "openzeppelin-2/contracts/token/ERC20/ERC20Mintable.sol";

/// OpenZeppelin 2's refundable crowdsale of a token that it mints, open for
/// thirty days from its first.
contract Crowdsale5 is RefundableCrowdsale, MintedCrowdsale {
    constructor()
        public
        Crowdsale(1000, msg.sender, new ERC20Mintable())
        TimedCrowdsale(block.timestamp, block.timestamp + 30 days)
        RefundableCrowdsale(10 ether)
    {}
}
