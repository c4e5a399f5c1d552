// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Known {
    function ping() external;
}

contract Raw {
    address constant named = 0x6B175474E89094C44Da98b954EedeAC495271d0F;
    address public owner;

    fallback() external payable {}

    function sum(uint256 a, bytes calldata b) external payable returns (uint256) {
        return a + b.length;
    }

    function plain(uint64 a) external pure returns (uint64) {
        return a ^ 3;
    }

    function check(address who) external {
        require(who != address(0x12345) && who != address(uint160(77777)));
        require(Known(address(0x99999)) != Known(who) && who != named);
        owner = who;
    }
}
