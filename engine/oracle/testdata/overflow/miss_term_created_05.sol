pragma solidity ^0.5.0;

// Who founds a project says when it ends.
contract Project {
    address public founder;
    uint256 public end;

    constructor(address founder_, uint256 term) public {
        require(term != 0, "no time");
        founder = founder_;
        end = now + term; // allow: overflow
    }
}

contract Hub {
    Project[] public projects;
    uint256 public founded;

    function found(uint256 term) external {
        projects.push(new Project(msg.sender, term));
        founded++;
    }
}
