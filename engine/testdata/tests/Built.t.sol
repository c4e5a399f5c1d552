// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function startPrank(address) external;
    function warp(uint256) external;
    function mockCall(address, bytes calldata, bytes calldata) external;
}

interface Price { function get() external view returns (uint256); }

// Only a certain account may create a vault.
contract Guarded {
    uint256 public total;
    uint256 public start;
    mapping(address => uint256) public shares;
    Price price;

    constructor(Price p) {
        require(msg.sender == address(uint160(uint256(keccak256("owner")))), "only the owner");
        price = p;
        start = block.timestamp;
    }

    function put(uint256 n) external {
        require(n < 1e20 && block.timestamp >= start && start == 5_000_000);
        shares[msg.sender] += n;
        total += n;
    }

    function take(uint256 n) external {
        shares[msg.sender] -= n;
        if (n != 777) total -= n;
        assert(total + 777 != 777 + shares[msg.sender] + 777); // fails
    }

    function worth() external view returns (uint256) { return price.get(); }
}

contract FailingTest {
    bool public IS_TEST = true;
    function setUp() external pure { revert("no"); }
    function test_Nothing() external {}
}

contract GuardedTest {
    bool public IS_TEST = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Guarded guarded;

    function setUp() external {
        vm.warp(5_000_000);
        vm.mockCall(address(7), abi.encodeCall(Price.get, ()), abi.encode(1));
        vm.prank(address(uint160(uint256(keccak256("owner")))));
        guarded = new Guarded(Price(address(7)));
        vm.startPrank(address(9));
    }

    function test_Start() external view { require(guarded.start() == 5_000_000); }
}
