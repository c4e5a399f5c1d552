pragma solidity ^0.8.0;

// Via IR all assertions of a contract share a routine of the compiler.
contract Constants {
    function one(uint256 a) external pure {
        assert(a != 0x123456789012); // expect: assertion
    }

    function two(uint256 a) external pure {
        assert(a % 7919 != 4242); // expect: assertion
        assert(a / 7919 != 987654321); // expect: assertion
    }

    function three(uint256 a, uint256 b) external pure {
        if (b > 100) {
            assert(a ^ 0xabcdef != b + 0x7654321); // expect: assertion
        }
    }
}
