pragma solidity ^0.8.0;

interface Wrapper {
    function deposit() external payable;
    function transfer(address to, uint256 amount) external returns (bool);
}

// Who refuses gets wrapped ether, by a contract that other chains have.
contract Sale {
    address public leader;
    uint256 public highest;

    function bid() external payable {
        require(msg.value > highest, "too little");
        (address before, uint256 back) = (leader, highest);
        (leader, highest) = (msg.sender, msg.value);
        if (before == address(0)) return;
        (bool ok, ) = before.call{value: back}(""); // allow: reentrancy
        if (!ok) {
            Wrapper w = Wrapper(0x7a3C9e5BD1f04862ae19C7b3D5680f2a4Ec91b07);
            w.deposit{value: back}();
            w.transfer(before, back);
        }
    }
}
