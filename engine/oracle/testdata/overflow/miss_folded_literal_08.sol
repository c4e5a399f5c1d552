pragma solidity ^0.8.0;

// Optimisers subtract the 10 from the 65 beforehand; the difference is never less than 57.
contract Sizes {
    uint256 public total;

    function add(bytes calldata data) external {
        unchecked {
            uint256 creation = 65 + (data.length + 2);
            uint256 running = creation - 10;
            total = running;
        }
    }
}
