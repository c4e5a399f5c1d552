// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

abstract contract Base {
    uint256 public paid;

    function pay(address payable to) external {
        paid++;
        to.send(0); //@ warning unchecked-call "Same cause: gasless-send" 2
    }

    function check(uint256 x) external pure {
        assert(x != 5); //@ error assertion "In 2 contracts: Shop and Store" 2
    }
}

contract Shop is Base {}

contract Store is Base {}
