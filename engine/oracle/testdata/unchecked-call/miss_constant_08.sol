pragma solidity ^0.8.0;

contract Burner {
    address payable constant charity = payable(0x6fC21092DA55B392b045eD78F4732bff3C580e2c);
    uint256 public failures;

    function give() external payable {
        (bool ok, ) = charity.call{value: msg.value}("");
        if (!ok) failures++;
    }

    function mustGive() external payable {
        assembly {
            if iszero(call(gas(), 0x6fC21092DA55B392b045eD78F4732bff3C580e2c, callvalue(), 0, 0, 0, 0)) { revert(0, 0) }
        }
    }
}
