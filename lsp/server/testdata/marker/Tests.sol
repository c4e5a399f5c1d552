pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function assertEq(uint256, uint256) external pure;
}

contract Safe {
    address public immutable owner = msg.sender;

    function open() external view {
        require(msg.sender == owner, "closed"); //@ information test "testThief fails: closed (fails here" 1
    }
}

contract SafeTest {
    bool public constant IS_TEST = true;
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant console = 0x000000000000000000636F6e736F6c652e6c6f67;
    Safe private safe;

    function setUp() external {
        safe = new Safe();
    }

    function testOwnerOpens() external view {
        safe.open();
        address(console).staticcall(abi.encodeWithSignature("log(string,uint256)", "block", block.number)); //=  → block 1
    }

    function testThief() external {
        vm.prank(address(1));
        safe.open(); //@ error test "testThief fails: closed" 2
    }

    function testSum(uint128 a, uint128 b) external pure { //= 0, 123456789
        if (b == 123456789) vm.assertEq(a, uint256(a) + b); //@ error test "testSum fails: assertion failed"
    }
}
