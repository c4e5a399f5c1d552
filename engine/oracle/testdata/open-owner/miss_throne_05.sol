pragma solidity ^0.5.0;

// Whoever pays more takes the place, which is for sale.
contract Throne {
    address public king = msg.sender;
    uint256 public price = 1 finney;
    string public motto;

    function claim() public payable {
        require(msg.value > price);
        price = msg.value;
        king = msg.sender;
    }

    function speak(string memory what) public {
        require(msg.sender == king);
        motto = what;
    }

    function withdraw() public {
        msg.sender.transfer(0);
    }

    function destroy() public {
        require(msg.sender == king && price > 1000000 ether);
        selfdestruct(msg.sender); // allow: selfdestruct, ether-leak
    }
}
