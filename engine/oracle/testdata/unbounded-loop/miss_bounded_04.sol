pragma solidity ^0.4.24;

// At most three.
contract Three {
    address[] members;
    mapping(address => uint256) public points;

    function join() public {
        require(members.length < 3);
        members.push(msg.sender);
    }

    function score() public {
        for (uint256 i = 0; i < members.length; i++) points[members[i]] += 1; // allow: overflow
    }
}

// At most a hundred.
contract Hundred {
    address[] members;
    mapping(address => uint256) public points;

    function join() public {
        require(members.length < 100);
        members.push(msg.sender);
    }

    function score() public {
        for (uint256 i = 0; i < members.length; i++) points[members[i]] += 1; // allow: overflow
    }
}
