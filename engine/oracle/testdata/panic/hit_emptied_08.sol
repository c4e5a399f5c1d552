pragma solidity ^0.8.0;

// Anybody can take the last element that the project relies on.
contract Panel {
    address[] private judges;
    address public chair;

    constructor() {
        judges.push(msg.sender);
    }

    function leave() external {
        require(judges.length > 0, "nobody left");
        judges.pop();
    }

    function appoint() external {
        chair = judges[0]; // expect: panic
    }
}
