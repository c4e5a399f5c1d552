pragma solidity ^0.8.0;

// A signature that is none has no signer.
contract Permits {
    mapping(address => uint256) public permitted;

    function permit(bytes32 digest, uint8 v, bytes32 r, bytes32 s) external {
        _permit(ecrecover(digest, v, r, s));
    }

    function _permit(address signer) internal {
        assert(signer != address(0)); // expect: assertion
        permitted[signer]++;
    }
}
