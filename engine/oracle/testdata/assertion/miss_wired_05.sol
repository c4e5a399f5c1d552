pragma solidity ^0.5.0;

// Two contracts that need each other.
contract Left {
    Right right;
    address owner = msg.sender;

    function setRight(Right to) public {
        require(msg.sender == owner && address(right) == address(0));
        right = to;
    }

    function ping() public view returns (uint256) {
        assert(address(right) != address(0));
        return right.two();
    }

    function one() public pure returns (uint256) {
        return 1;
    }
}

contract Right {
    Left left;
    address owner = msg.sender;

    function setLeft(address to) public {
        require(msg.sender == owner && address(left) == address(0));
        left = Left(to);
    }

    function pong() public view returns (uint256) {
        assert(address(left) != address(0));
        return left.one() + left.ping();
    }

    function two() public pure returns (uint256) {
        return 2;
    }
}
