// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

import "zeppelin-solidity/contracts/crowdsale/validation/CappedCrowdsale.sol";
import "zeppelin-solidity/contracts/crowdsale/distribution/RefundableCrowdsale.sol";
import "zeppelin-solidity/contracts/crowdsale/emission/MintedCrowdsale.sol";
import "zeppelin-solidity/contracts/token/ERC20/MintableToken.sol";

/// OpenZeppelin 1's crowdsale with a cap and a goal, of a token that it mints.
contract OldestCrowdsale is CappedCrowdsale, RefundableCrowdsale, MintedCrowdsale {
    constructor()
        public
        Crowdsale(1000, msg.sender, new MintableToken())
        CappedCrowdsale(300 ether)
        TimedCrowdsale(block.timestamp, block.timestamp + 30 days)
        RefundableCrowdsale(10 ether)
    {}
}
