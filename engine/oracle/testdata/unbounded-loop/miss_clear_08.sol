pragma solidity ^0.8.0;

// Lists that have a limit, that are the sender's own, or whose length is set to zero without clearing.
contract Clear {
    address[] few;
    mapping(address => uint256[]) own;
    uint256[] log;
    uint256 public count;
    string public name;

    function enter() external {
        require(few.length < 8, "full");
        few.push(msg.sender);
    }

    function leave() external {
        delete few;
    }

    function note(uint256 x) external {
        own[msg.sender].push(x);
    }

    function forget() external {
        delete own[msg.sender];
    }

    function record(uint256 x) external {
        if (count == log.length) log.push(x);
        else log[count] = x;
        count++;
    }

    function restart() external {
        count = 0;
    }

    function rename(string calldata to) external {
        require(bytes(to).length < 100);
        name = to;
    }
}
