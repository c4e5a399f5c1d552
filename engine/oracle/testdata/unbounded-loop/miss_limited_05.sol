pragma solidity ^0.5.0;

// Lists that the owner makes, that are processed in parts, or that are only read.
contract Limited {
    address owner = msg.sender;
    uint256[] chosen;
    uint256[] open;
    uint256 public done;
    uint256 public sum;

    function choose(uint32 x) public {
        require(msg.sender == owner);
        chosen.push(x);
    }

    function add(uint32 x) public {
        open.push(x);
    }

    function all() public {
        uint256 s = 0;
        for (uint256 i = 0; i < chosen.length; i++) s += chosen[i]; // allow: overflow
        sum = s;
    }

    function some(uint256 from, uint256 to) public {
        require(from < to && to <= open.length && to - from < 10);
        uint256 s = 0;
        for (uint256 i = from; i < to; i++) s += open[i]; // allow: overflow
        done = s;
    }

    function total() public view returns (uint256 s) {
        for (uint256 i = 0; i < open.length; i++) s += open[i]; // allow: overflow
    }
}
