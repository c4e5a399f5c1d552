pragma solidity ^0.5.0;

// Who starts a game says how long it is open; one of 2^256 seconds is over at once, as one
// of a second is.
contract Games {
    struct Game {
        address host;
        uint256 stake;
        uint256 end;
    }

    Game[] private games;

    function start(uint256 stake, uint256 term) external {
        require(term > 0, "no time");
        games.push(Game(msg.sender, stake, now + term)); // allow: overflow
    }

    function join(uint256 i, uint256 stake) external {
        require(i < games.length && now <= games[i].end && stake == games[i].stake, "over");
        games[i].stake = 0;
    }
}
