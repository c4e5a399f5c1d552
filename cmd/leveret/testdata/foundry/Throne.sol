// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: gasless-send
// fix: king.send(msg.value); => king.transfer(msg.value);

/// The old king may be a contract that needs more gas than send provides.
contract Throne {
    address payable public king;
    uint256 public price = 1;

    function claim() external payable {
        require(msg.value >= price);
        if (king != address(0)) king.send(msg.value);
        king = payable(msg.sender);
        price = msg.value + 1;
    }
}
