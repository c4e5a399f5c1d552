pragma solidity 0.5.17;

/// Before 0.8 a failed assertion is an invalid instruction.
contract Old {
    uint256[] list;
    bytes32 public constant tag = "tag";

    event Pushed(uint256 indexed at, uint256 value);

    function push(uint256 value) public returns (uint256 length) {
        length = list.push(value);
        emit Pushed(length - 1, value);
    }

    function take(uint256 at) public {
        delete list[at];
        assert(at == 0);
    }

    function() external payable {
        revert("no gifts");
    }
}
