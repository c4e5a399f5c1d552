pragma solidity ^0.5.0;

// Only who asks the wrong question gets an error.
contract Pages {
    uint256[] items;

    function add(uint256 x) public {
        items.push(x);
    }

    function page(uint256 from, uint256 to) public view returns (uint256 found) {
        if (to - from > 100) { // allow: overflow
            return 0;
        }
        for (uint256 i = from; i < to && i < items.length; i++) found++; // allow: overflow
    }
}
