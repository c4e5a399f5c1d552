pragma solidity ^0.5.0;

// A copy of a list costs more with each member, too.
contract Archive {
    uint256[] open;
    uint256[] closed;

    function add(uint32 x) public {
        open.push(x);
    }

    function close() public {
        closed = open; // expect: unbounded-loop
    }
}
