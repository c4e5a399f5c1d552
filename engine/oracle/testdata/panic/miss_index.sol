pragma solidity ^0.5.0;

contract CheckedList {
    uint256[] private items;
    enum Mood { Fine, Bad }
    Mood public mood;

    function add(uint256 x) external {
        items.push(x);
    }

    function at(uint256 i) external view returns (uint256) {
        require(i < items.length, "no such item");
        return items[i];
    }

    function feel(uint8 m) external {
        require(m <= 1, "no such mood");
        mood = Mood(m);
    }
}
