pragma solidity ^0.6.0;

// The assertion tells a contract that is not a token; the owner names one.
interface Coin {
    function balanceOf(address who) external view returns (uint256);
}

contract Issue {
    address owner = msg.sender;
    Coin public coin;

    function setCoin(address to) external {
        require(msg.sender == owner, "not the owner");
        coin = Coin(to);
        assert(coin.balanceOf(address(this)) >= 1); // allow: assertion
    }
}
