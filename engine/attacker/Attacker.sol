/// The attacker's contract. Whenever it is called it does what it was told:
/// it takes what it is sent, refuses, uses up all gas, or calls back.
contract LeveretAttacker {
    uint256 private mode; // 0 takes, 1 refuses, 2 burns, 3 calls back
    address private target;
    uint256 private sends;
    uint256 private most;
    uint256 private times;
    bytes private data;
    bytes private answer;

    function willTake() external {
        (mode, answer) = (0, "");
    }

    function willRefuse() external {
        (mode, answer) = (1, "");
    }

    function willBurn() external {
        (mode, answer) = (2, "");
    }

    /// Calls to, with calldata and wei, before it returns: at most so often in
    /// one transaction.
    function willCall(address to, bytes calldata calldata_, uint256 wei_, uint256 often) external {
        (mode, answer) = (3, "");
        (target, data, sends, most, times) = (to, calldata_, wei_, often, 0);
    }

    /// Returns words to whoever asks.
    function willAnswer(bytes calldata words) external {
        answer = words;
    }

    receive() external payable {
        act(mode);
    }

    fallback() external payable {
        act(mode);
        bytes memory words = answer.length > 0 ? answer : usual();
        assembly {
            return(add(words, 32), mload(words))
        }
    }

    /// What it is told fits into the gas that send and transfer leave.
    function act(uint256 how) private {
        if (how != 3) {
            if (how == 2) while (gasleft() > 500) {}
            require(how == 0);
            return;
        }
        if (gasleft() < 20000 || times >= most) return;
        (bool ok, ) = address(this).call(abi.encodeWithSignature("count()"));
        if (!ok) return; // nothing may be written now
        (ok, ) = target.call{value: sends}(data);
    }

    function count() external {
        require(msg.sender == address(this));
        times++;
    }

    /// What recipients of tokens and borrowers have to answer, else 1.
    function usual() private pure returns (bytes memory) {
        if (
            msg.sig == bytes4(keccak256("onERC721Received(address,address,uint256,bytes)"))
                || msg.sig == bytes4(keccak256("onERC1155Received(address,address,uint256,uint256,bytes)"))
                || msg.sig == bytes4(keccak256("onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)"))
                || msg.sig == bytes4(keccak256("onTransferReceived(address,address,uint256,bytes)"))
                || msg.sig == bytes4(keccak256("onApprovalReceived(address,uint256,bytes)"))
        ) return abi.encode(msg.sig);
        if (msg.sig == bytes4(keccak256("onFlashLoan(address,address,uint256,uint256,bytes)"))) {
            return abi.encode(keccak256("ERC3156FlashBorrower.onFlashLoan"));
        }
        return abi.encode(1, 1, 1, 1);
    }
}
