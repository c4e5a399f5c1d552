pragma solidity ^0.4.11;

// Accepted by every compiler from 0.4.11 to 0.4.26.
library Maths {
    function add(uint a, uint b) internal constant returns (uint) { return a + b; }
}

contract Base {
    address owner;
    event Moved(address indexed who, uint amount);
    modifier only() { require(msg.sender == owner); _; }
    function Base() { owner = msg.sender; }
    function inherited(uint8 x) constant returns (uint8) { return x * 2; }
}

contract Tour is Base {
    using Maths for uint;
    enum State { Idle, Busy }
    struct Pool { uint128 low; uint64 high; bool on; }
    uint constant LIMIT = 3 ether;
    State state;
    mapping (address => uint) balances;
    Pool pool;
    uint8 small;

    function pay(address to, uint amount) payable only returns (bool) {
        var (a, b) = (amount, uint8(7));
        if (a > LIMIT) { throw; }
        for (uint i = 0; i < 3; i++) { balances[to] += i.add(b); }
        while (a > 10) { a -= 1; continue; }
        do { a--; if (a == 5) break; } while (a > 0);
        assert(small + 1 != 0x2a);
        assembly { let q := add(1, 2) }
        Moved(to, amount);
        to.call.value(1 wei)();
        small = small - 1;
        return to.send(1) ? true : false;
    }
    function () payable { }
}
