pragma solidity ^0.8.0;

// Who joins should be a member then, and nobody should be the keeper: these are
// checks of what the contract does, though they ask about the sender.
contract Club {
    mapping(address => bool) public banned;
    mapping(address => bool) public members;
    address public keeper;

    function isMember(address who) public view returns (bool) {
        return members[who];
    }

    function join() external {
        if (!banned[msg.sender]) members[msg.sender] = true;
        assert(isMember(msg.sender)); // expect: assertion
    }

    function leave() external {
        banned[msg.sender] = true;
        members[msg.sender] = false;
    }

    function keep(uint256 code) external {
        if (code == 7391) keeper = msg.sender;
    }

    function kept() external view {
        assert(keeper != msg.sender); // expect: assertion
    }

    function mayStay(address who) public view returns (bool) {
        return !banned[who];
    }

    function stays() external view {
        assert(mayStay(msg.sender)); // expect: assertion
    }
}
