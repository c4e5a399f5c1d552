pragma solidity ^0.8.0;

// As wallets behind proxies are set up: once, by who creates them.
contract Wallet {
    address[] public owners;
    uint256 public threshold;

    function setup(address[] calldata who, uint256 least, address module) external {
        require(threshold == 0, "set up");
        require(least > 0 && least <= who.length, "threshold");
        owners = who;
        threshold = least;
        (bool ok, ) = module.delegatecall(abi.encodeWithSignature("enable()")); // allow: delegatecall
        require(ok, "module");
    }
}
