pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function assertEq(uint256, uint256) external pure;
}

contract Safe {
    address public immutable owner = msg.sender;

    function open() external view {
        require(msg.sender == owner, "closed");
    }
}

contract SafeTest {
    bool public constant IS_TEST = true;
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Safe private safe;

    function setUp() external {
        safe = new Safe();
    }

    function testOwnerOpens() external view {
        safe.open();
    }

    function testThief() external {
        vm.prank(address(1));
        safe.open(); //@ error test "testThief fails: closed" 2
    }

    function testSum(uint128 a, uint128 b) external pure {
        if (b == 123456789) vm.assertEq(a, uint256(a) + b); //@ error test "testSum fails: assertion failed"
    }
}
