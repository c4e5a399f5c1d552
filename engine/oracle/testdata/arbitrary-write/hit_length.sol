pragma solidity ^0.5.0;

contract Bonus {
    address private keeper = msg.sender;
    uint256[] private codes;

    function removeLast() external {
        codes.length--; // expect: overflow
    }

    function replace(uint256 at, uint256 code) external {
        require(at < codes.length);
        codes[at] = code; // expect: arbitrary-write
    }
}
