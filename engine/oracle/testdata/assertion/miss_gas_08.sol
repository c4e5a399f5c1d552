pragma solidity ^0.8.0;

// Whoever relays has to give enough gas, or the call inside fails for the lack of it.
contract Relay {
    uint256 public relayed;

    function relay(address to, uint256 gas, bytes calldata data) external {
        (bool done, ) = to.call{gas: gas}(data);
        assert(gasleft() > gas / 63); // allow: assertion
        if (done) {
            relayed++;
        }
    }
}
