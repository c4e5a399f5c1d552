pragma solidity ^0.8.0;

interface Guest {
    function stay() external;
}

// Whoever is called may call back, and ask for what is not there.
contract House {
    uint256[3] public rooms;
    bool private open;

    function invite(Guest guest) external {
        open = true;
        guest.stay();
        open = false;
    }

    function take(uint256 room) external {
        require(open, "closed");
        rooms[room] = block.number; // allow: panic
    }
}
