pragma solidity ^0.8.0;

contract Scale {
    uint256 public weight;

    function put(uint256 w) external {
        weight = w;
    }
}

contract EarlyTest {
    Scale internal scale;

    function setUp() public {
        scale = new Scale();
    }

    function invariant_light() public view {
        require(scale.weight() < 1000, "heavy");
    }

    function invariant_remainder() public view {
        require(scale.weight() % 7919 != 4242, "remainder");
    }

    function invariant_holds() public view {
        require(scale.weight() / 2 <= scale.weight(), "half is more");
    }
}
