pragma solidity ^0.8.0;

contract Counter {
    uint256 internal immutable step;
    uint256 public count;

    constructor(uint256 s) {
        step = s;
    }

    function add() external {
        count += step;
    }
}

contract Handlers {
    bytes32 internal constant CHEATS = "hevm cheat code";
    Counter internal counter = new Counter(7);
    address internal last;

    function cheats() external pure returns (bytes32) {
        return CHEATS;
    }

    // Named like an invariant of Foundry: a handler, whose changes stay.
    function invariant_adds() public {
        counter.add();
        last = msg.sender;
    }

    function property_below() public view returns (bool) {
        return counter.count() < 14;
    }

    function property_sender() public view returns (bool) {
        return last == address(0) || last == address(0x10000) || last == address(0x20000) || last == address(0x30000);
    }

    function property_holds() public view returns (bool) {
        return counter.count() % 7 == 0;
    }

    function optimize_count() public view returns (int256) {
        return counter.count() < 700 ? int256(counter.count()) : int256(-1);
    }

    function check(uint256 x) public pure {
        assert(x != 31337);
    }
}
