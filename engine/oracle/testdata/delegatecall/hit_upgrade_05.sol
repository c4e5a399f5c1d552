pragma solidity ^0.5.0;

// Each version may be run once, by anybody, after the project's own.
contract Upgrades {
    uint256 public version = 1;

    function upgrade(address to, uint256 next) external {
        require(next > version, "old");
        version = next;
        (bool ok, ) = to.delegatecall(abi.encodeWithSignature("upgrade()")); // expect: delegatecall
        require(ok);
    }
}
