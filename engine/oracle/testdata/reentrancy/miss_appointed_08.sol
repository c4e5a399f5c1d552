pragma solidity ^0.8.0;

// The admin alone says which contract is asked; one that attacks is the admin's
// decision.
interface Judge {
    function judge(address who) external returns (bool);
}

contract Court {
    address immutable admin = msg.sender;
    Judge judge;
    mapping(address => uint256) public cases;

    function setJudge(Judge to) external {
        require(msg.sender == admin, "not the admin");
        judge = to;
    }

    function plead() external {
        uint256 before = cases[msg.sender];
        require(judge.judge(msg.sender), "guilty"); // allow: reentrancy
        cases[msg.sender] = before + 1;
    }

    function forget() external {
        require(cases[msg.sender] > 2, "too few");
        cases[msg.sender] = 0;
    }
}
