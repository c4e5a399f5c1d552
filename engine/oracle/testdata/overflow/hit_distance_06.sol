pragma solidity ^0.6.0;

// The difference is right for counters of its own size only.
contract Distance {
    uint8 private first = 246;
    uint8 private end = 230;

    function add() external {
        end += 9; // expect: overflow
    }

    function take() external {
        require(length() > 0);
        first += 7; // expect: overflow
    }

    function length() public view returns (uint256) {
        return uint256(end) - uint256(first); // expect: overflow
    }
}
