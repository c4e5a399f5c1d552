pragma solidity ^0.5.0;

/// 256 ones are the largest number: 1 << 256 is zero, and one less all of them.
contract Sets {
    mapping(bytes32 => uint256) public members;

    function fill(bytes32 key, uint256 size) external {
        require(size > 0 && size <= 256, "size");
        members[key] = (1 << size) - 1;
    }

    function fillBytes(bytes32 key, uint256 length) external {
        require(length <= 32, "length");
        members[key] = (256 ** length) - 1;
    }
}
