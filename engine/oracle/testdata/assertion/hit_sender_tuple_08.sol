pragma solidity ^0.8.0;

// What the checks compare the sender with is of the functions' own work, though they assign
// it in a tuple, or delete it.
contract Chair {
    address public holder;
    address public before;
    uint256 public turn;

    function take(bool anew) external {
        (before, holder) = (holder, anew ? msg.sender : holder);
        assert(holder == msg.sender); // expect: assertion
        turn++;
    }

    function leave() external {
        require(msg.sender == before, "not the one before");
        delete before;
        assert(msg.sender == before); // expect: assertion
    }
}
