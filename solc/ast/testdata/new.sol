// SPDX-License-Identifier: MIT
pragma solidity ^0.8.13;

type Price is uint64;

struct Pair { address left; uint96 right; }

error TooMuch(uint256 amount, uint256 limit);

function double(uint256 x) pure returns (uint256) { return x + x; }

library Maths {
    function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
}

interface Token {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @title The root.
abstract contract Base {
    address internal owner;
    event Moved(address indexed who, uint256 amount);
    modifier only() virtual { require(msg.sender == owner, "not owner"); _; }
    constructor() { owner = msg.sender; }
    function inherited(uint8 x) public virtual returns (uint8) { return x * 2; }
    function hidden(uint256 x) public view returns (uint256) { return x + block.timestamp; }
}

contract Tour is Base {
    using Maths for uint256;
    enum State { Idle, Busy }
    struct Pool { uint128 low; uint64 high; bool on; uint8[3] tail; mapping (uint256 => bytes) inner; }
    uint256 public constant LIMIT = 3 ether;
    uint256 immutable started = block.number;
    State state;
    mapping (address => uint256) public balances;
    mapping (string => mapping (uint256 => Pool)) pools;
    Pool pool;
    uint8 small;
    int64[] codes;
    bytes data;
    string label;
    uint24[15] fixedCodes;
    Token token;
    Price price;
    Pair[] pairs;
    function (uint256) external returns (uint256) hook;

    constructor() payable Base() { small = 200; }

    function pay(address payable to, uint256 amount) external payable only returns (bool) {
        (uint256 a, uint8 b) = (amount, uint8(7));
        if (a > LIMIT) { revert TooMuch({amount: a, limit: LIMIT}); }
        for (uint256 i = 0; i < 3; i++) { balances[to] += i.add(b); }
        while (a > 10) { a -= 1; continue; }
        do { a--; if (a == 5) break; } while (a > 0);
        assert(small + 1 != 0x2a);
        assembly ("memory-safe") {
            let q := add(1, 2)
            sstore(codes.slot, q)
            for { let k := 0 } lt(k, 2) { k := add(k, 1) } { if eq(k, 1) { break } }
            switch q case 3 { mstore(0, "abc") } default { leave_(q) }
            function leave_(x) { if x { leave } }
        }
        emit Moved(to, amount);
        (bool ok, ) = to.call{value: 1 wei, gas: 5000}("");
        to.call(hex"00ff");
        unchecked { small = small - 1; a = a - b; { b = b + 1; } }
        pools["x"][4].low = 1;
        price = Price.wrap(Price.unwrap(price) + 1);
        delete codes;
        pairs.push(Pair(0x00000000219ab540356cBB839Cbe05303d7705Fa, 5));
        bytes memory part = msg.data[4:];
        return ok ? to.send(part.length) : -int256(1) < 0;
    }

    function inherited(uint8 x) public override returns (uint8) { return super.inherited(x) - 1; }

    function attempt(uint256 n) public returns (uint256 got) {
        try this.inherited(uint8(n)) returns (uint8 r) { got = r; }
        catch Error(string memory) { got = 1; }
        catch Panic(uint256 code) { got = code; }
        catch (bytes memory) { got = started; }
        got = double(got) + (new uint256[](2)).length + type(uint8).max;
    }

    receive() external payable { }
    fallback() external payable { require(msg.value > 2 gwei && string(unicode"é").size() == 2); }
}

function size(string memory s) pure returns (uint256) { return bytes(s).length; }
using {size} for string;
