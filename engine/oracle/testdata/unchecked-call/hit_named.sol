pragma solidity ^0.5.0;

contract Payout {
    uint256 public rounds;

    function () external payable {}

    function pay(address payable to, uint256 amount) public {
        (bool ok, ) = to.call.value(amount)(""); // expect: unchecked-call // allow: exception-disorder, ether-leak, reentrancy
        ok;
        rounds++;
    }
}
