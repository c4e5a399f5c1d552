// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Child {
    uint256 public poked;

    function poke() external { poked++; }

    function other() external { poked = poked; }

    function never(uint256 x) external pure returns (uint256) { return x; }
}

contract Fragile {
    uint256 public sum;

    function add(uint256 x) external {
        assert(x < 5 || sum < 3); // breaks
        sum += x % 3;
    }
}

contract Factory {
    Child[] public children;

    function make() external { children.push(new Child()); }

    function count() external view returns (uint256) { return children.length; }

    function pokes() external view returns (uint256 sum) {
        for (uint256 i; i < children.length; i++) sum += children[i].poked();
    }
}

contract FragileFactory {
    Fragile public last;

    function make() external { last = new Fragile(); }
}

abstract contract CreatedTests {
    struct FuzzSelector { address addr; bytes4[] selectors; }
    struct FuzzArtifactSelector { string artifact; bytes4[] selectors; }

    Factory factory;

    function setUp() public { factory = new Factory(); }
}

contract AllTargets is CreatedTests {
    function invariant_pokes() public view { // fails
        assert(factory.pokes() < 2);
    }
}

contract ChosenTargets is CreatedTests {
    function targetContracts() public view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(factory);
    }

    function invariant_pokes() public view {
        assert(factory.pokes() < 2);
    }
}

contract ExcludedArtifacts is CreatedTests {
    function excludeArtifacts() public pure returns (string[] memory list) {
        list = new string[](1);
        list[0] = "Child";
    }

    function invariant_pokes() public view {
        assert(factory.pokes() < 2);
    }
}

contract ArtifactSelectors is CreatedTests {
    function targetArtifactSelectors() public pure returns (FuzzArtifactSelector[] memory list) {
        list = new FuzzArtifactSelector[](2);
        list[0].artifact = "Factory";
        list[0].selectors = new bytes4[](1);
        list[0].selectors[0] = Factory.make.selector;
        list[1].artifact = "Child";
        list[1].selectors = new bytes4[](1);
        list[1].selectors[0] = Child.other.selector;
    }

    function invariant_pokes() public view {
        assert(factory.pokes() == 0);
    }
}

contract TargetedArtifacts is CreatedTests {
    function targetArtifacts() public pure returns (string[] memory list) {
        list = new string[](2);
        list[0] = "Factory";
        list[1] = "Child";
    }

    function invariant_pokes() public view { // fails
        assert(factory.pokes() == 0);
    }
}

contract CreatedAssertions {
    FragileFactory factory;

    function setUp() public { factory = new FragileFactory(); }

    function invariant_true() public view {} // fails
}

// Selectors come before what is excluded.
contract WantedAndUnwanted is CreatedTests {
    function targetSelectors() public view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        list[0].addr = address(factory);
        list[0].selectors = new bytes4[](1);
        list[0].selectors[0] = Factory.make.selector;
    }

    function excludeSelectors() public view returns (FuzzSelector[] memory) { return targetSelectors(); }

    function invariant_few() public view { // fails
        assert(factory.count() < 2);
    }
}

// A name that is wrong is no target of none.
contract WrongArtifact is CreatedTests {
    function targetArtifacts() public pure returns (string[] memory list) {
        list = new string[](1);
        list[0] = "Chidl";
    }

    function invariant_true() public view {} // fails
}
