pragma solidity ^0.5.0;

contract Board {
    enum Mark { None, Cross, Circle }

    uint8[9] private cells;

    function play(uint256 at, uint8 mark) external {
        Mark chosen = Mark(mark); // expect: panic
        cells[at] = uint8(chosen); // expect: panic
    }

    function share(uint256 amount, uint256 people) external pure returns (uint256) {
        return amount / people; // expect: panic
    }
}
