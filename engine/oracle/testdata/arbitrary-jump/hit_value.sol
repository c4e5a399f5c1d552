pragma solidity ^0.4.24;

contract FunctionTypes {
    address private owner = msg.sender;

    struct Pointer {
        function () internal run;
    }

    function withdraw() private {
        require(msg.value == 0);
        msg.sender.transfer(address(this).balance); // allow: ether-leak
    }

    function frwd() internal {
        withdraw();
    }

    function breakIt() public payable {
        require(msg.value != 0);
        Pointer memory p;
        p.run = frwd;
        assembly {
            mstore(p, add(mload(p), callvalue))
        }
        p.run(); // expect: arbitrary-jump // allow: panic
    }
}
