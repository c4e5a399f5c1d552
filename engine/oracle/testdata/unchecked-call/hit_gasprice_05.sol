pragma solidity ^0.5.0;

// What is paid depends on what gas costs: it is never free.
contract Relay {
    address payable constant keeper = 0x6fC21092DA55B392b045eD78F4732bff3C580e2c;
    uint256 public paid;

    function pay() external payable {
        uint256 units = msg.value / tx.gasprice;
        keeper.send(units); // expect: unchecked-call
        paid += units; // allow: overflow
    }

    function() external payable {}
}
