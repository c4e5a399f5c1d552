// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

type Price is int64;

uint256 constant OUTSIDE = 7 days;

library Rates {
    uint256 internal constant BASE = 10 ** 18;
}

contract Changed {
    enum State { Open, Closed, Gone }
    struct Item { uint8 kind; int16 delta; address owner; }

    uint256 public constant FEE = 25;
    uint256 public constant SCALED = FEE * Rates.BASE / 1e3 + OUTSIDE;
    int256 public constant LOWEST = type(int256).min;
    int8 public constant NEGATIVE = -128;
    uint64 public constant CAP = type(uint64).max - 1;
    bytes32 public constant ROLE = keccak256("ROLE");
    bytes32 public constant SLOT = keccak256(abi.encode(uint256(keccak256("leveret.storage.Changed")) - 1)) & ~bytes32(uint256(0xff));
    bytes4 public constant SELECTOR = 0xa9059cbb;
    bytes8 public constant TAG = "tag";
    bytes2 public constant CUT = bytes2(bytes32("xyz"));
    address public constant DEAD = 0x000000000000000000000000000000000000dEaD;
    address public constant ONE = address(uint160(1));
    bool public constant ENABLED = !(FEE > 30);
    State public constant FIRST = State.Closed;
    string public constant NAME = "Changed";
    bytes public constant RAW = hex"00ff";
    uint8 public constant SHIFTED = uint8(3) << 2 | 1;
    Price public constant PRICE = Price.wrap(-5);
    bytes4 public constant LATE = this.measure.selector;

    uint256 public immutable start;
    address public immutable maker;
    bytes4 public immutable mark;
    State public immutable initial;

    uint256 public sum;
    uint8 private small;
    int16 private signed;
    bool private flag;
    address private owner;
    bytes4 private code;
    State private state;
    Price private price;
    Item private item;
    mapping(address => uint256) private paid;
    uint16[] private list;

    constructor() payable {
        start = 41 + FEE;
        maker = msg.sender;
        mark = 0x01020304;
        initial = State.Gone;
        list.push(1);
        list.push(2);
    }

    // What each parameter, local and state variable is goes into the sum.
    function measure(uint256 a, int16 b, bool c, address d, bytes4 e, State f, uint8 g) public payable returns (uint256 result) {
        Item memory m = Item(g, b, d);
        uint256[] memory values = new uint256[](2);
        result = a;
        result = mix(result, uint256(int256(b)));
        result = mix(result, c ? 1 : 2);
        result = mix(result, uint160(d));
        result = mix(result, uint32(e));
        result = mix(result, uint256(f));
        result = mix(result, g);
        result = mix(mix(mix(result, m.kind), uint256(int256(m.delta))), uint160(m.owner));
        result = mix(mix(result, values[0]), values[1]);
        sum = mix(mix(sum, result), stored());
    }

    function mix(uint256 x, uint256 y) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(x, y)));
    }

    function stored() private view returns (uint256 r) {
        r = mix(small, uint256(int256(signed)));
        r = mix(mix(r, flag ? 1 : 2), uint160(owner));
        r = mix(mix(r, uint32(code)), uint256(state));
        r = mix(mix(r, item.kind), uint256(int256(item.delta)));
        r = mix(mix(r, uint160(item.owner)), paid[msg.sender]);
        r = mix(mix(r, list.length), list[1]);
        r = mix(r, uint256(int256(Price.unwrap(price))));
    }

    // Sets all state variables.
    function put(uint8 a, int16 b, bool c, address d, bytes4 e, State f, int64 g, uint16 h) public {
        (small, signed, flag, owner, code, state, price) = (a, b, c, d, e, f, Price.wrap(g));
        item = Item(a, b, d);
        paid[msg.sender] = h;
        list[1] = h;
    }

    // Depends on what is around a call.
    function surroundings() public payable {
        sum = mix(mix(msg.value, uint160(msg.sender)), mix(uint160(tx.origin), address(this).balance));
        sum = mix(sum, mix(block.number, block.timestamp));
    }

    function check(uint256 x) public {
        uint256 twice = x * 2;
        sum = twice;
        assert(twice != 26);
        sum = 1;
    }
}
