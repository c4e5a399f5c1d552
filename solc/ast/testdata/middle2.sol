pragma solidity >=0.6.0 <0.8.0;
pragma experimental ABIEncoderV2;

// Accepted by every compiler from 0.6.2 to 0.7.
library Maths {
    function add(uint a, uint b) internal pure returns (uint) { return a + b; }
}

interface Token {
    function transfer(address to, uint amount) external returns (bool);
}

contract Base {
    address owner;
    event Moved(address indexed who, uint amount);
    modifier only() { require(msg.sender == owner, "not owner"); _; }
    constructor() public { owner = msg.sender; }
    function inherited(uint8 x) public pure returns (uint8) { return x * 2; }
}

contract Tour is Base {
    using Maths for uint;
    enum State { Idle, Busy }
    struct Pool { uint128 low; uint64 high; bool on; uint8[3] tail; mapping (uint => bytes) inner; }
    uint constant LIMIT = 3 ether;
    State state;
    mapping (address => uint) balances;
    mapping (string => mapping (uint => Pool)) pools;
    Pool pool;
    uint8 small;
    int64[] codes;
    bytes data;
    string label;
    uint24[5] fixedCodes;
    Token token;

    function pay(address payable to, uint amount) public payable only returns (bool) {
        (uint a, uint8 b) = (amount, uint8(7));
        if (a > LIMIT) { revert("limit"); }
        for (uint i = 0; i < 3; i++) { balances[to] += i.add(b); }
        while (a > 10) { a -= 1; continue; }
        do { a--; if (a == 5) break; } while (a > 0);
        assert(small + 1 != 0x2a);
        assembly { let q := add(1, 2) sstore(codes_slot(), q) function codes_slot() -> s { s := 99 } }
        emit Moved(to, amount);
        (bool ok, ) = to.call{value: 1 wei}("");
        to.call("");
        small = small - 1;
        pools["x"][4].low = 1;
        delete codes;
        return ok ? to.send(1) : false;
    }
    uint immutable started = block.number;
    function attempt(uint n) public returns (uint got) {
        try this.inherited(uint8(n)) returns (uint8 r) { got = r; }
        catch Error(string memory) { got = 1; }
        catch (bytes memory) { got = 2 + started; }
    }
    receive() external payable { }
    fallback() external payable { }
}
