pragma solidity ^0.8.0;

interface Source {
    function names() external returns (bytes memory);
}

// What callers ask for and there is not is refused, and nothing else happens;
// nor does anything where another contract answers with what is no answer.
contract Market {
    enum Kind { Buy, Sell }
    mapping(Kind => uint256) public done;
    uint256[] private steps;

    function trade(uint8 kind, uint256 amount) external {
        done[Kind(kind)] += amount; // allow: panic
    }

    function route(address[] calldata path, uint256[] memory amounts) external {
        require(path[path.length - 1] != address(0), "no end"); // allow: panic
        for (uint256 i = 0; i < path.length; i++) {
            done[Kind.Buy] = amounts[i]; // allow: panic
        }
    }

    function read(Source source) external {
        done[Kind.Sell] = source.names().length; // allow: panic
    }

    function step(uint256 which) external {
        delete steps[which]; // allow: panic
    }
}
