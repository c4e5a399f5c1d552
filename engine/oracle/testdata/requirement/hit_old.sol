pragma solidity ^0.4.24;

contract Bar {
    Foo private f = new Foo();

    function doubleBaz(int256 x) public view returns (int256) {
        return 2 * f.baz(x + 1);
    }
}

contract Foo {
    function baz(int256 x) public pure returns (int256) {
        require(0 < x); // expect: requirement
        return 42;
    }
}
