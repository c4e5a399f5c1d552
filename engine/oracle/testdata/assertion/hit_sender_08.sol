pragma solidity ^0.8.0;

// Whoever takes the seat should have it then. The check is of the function's own work:
// one who was put out before does not get it back.
contract Seat {
    address public holder;
    mapping(address => bool) public out;

    function take() external {
        if (!out[msg.sender]) {
            holder = msg.sender;
        }
        assert(msg.sender == holder); // expect: assertion
    }

    function leave() external {
        require(msg.sender == holder, "not the holder");
        out[msg.sender] = true;
        holder = address(0);
    }
}
