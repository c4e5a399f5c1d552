pragma solidity ^0.6.0;

// A plain number in well-formed bytes is cut.
interface Feed {
    function latest() external view returns (bool found, bytes memory value, uint256 at);
}

contract Reader {
    Feed private feed;
    uint32 public last;

    constructor(Feed from) public {
        feed = from;
    }

    function read() external {
        (, bytes memory value, uint256 at) = feed.latest();
        require(at > 0 && value.length == 32, "none");
        uint256 number = abi.decode(value, (uint256));
        last = uint32(number); // expect: overflow
    }
}
