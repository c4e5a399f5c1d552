// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

// Nothing is left of these after their deployment.

contract Destroyed {
    constructor() { selfdestruct(payable(msg.sender)); }
    function f(uint a) external pure { assert(a != 7); }
}

contract Nothing {
    constructor() { assembly { return(0, 0) } }
    function f(uint a) external pure { assert(a != 7); }
}

contract DestroyedLater {
    constructor() { this.end; Ender.end(); }
    function end() external {}
}

library Ender {
    function end() internal { selfdestruct(payable(msg.sender)); }
}

// Those who create them can be fuzzed.
contract Maker {
    Destroyed a = new Destroyed();
    Nothing b = new Nothing();
    function f(uint x) external view { assert(address(a).code.length == 0 && address(b).code.length == 0 && x != 7); }
}
