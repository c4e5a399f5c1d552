/// The attacker's contract. Whenever it is called it does what it was told:
/// it takes what it is sent, refuses, uses up all gas, or calls back.
contract LeveretAttacker {
    struct Back {
        address target;
        bytes data;
        uint256 sends;
        uint256 first;
        uint256 often;
    }

    uint256 private mode; // 0 takes, 1 refuses, 2 burns, 3 calls back
    Back[] private backs;
    bytes[] private answers;
    uint256 private times;
    uint256 private round;

    function willTake() public {
        tell(0);
    }

    function willRefuse() external {
        tell(1);
    }

    function willBurn() external {
        tell(2);
    }

    /// Calls to, with calldata and wei, before it returns: at most so often in
    /// one transaction.
    function willCall(address to, bytes calldata calldata_, uint256 wei_, uint256 often) external {
        tell(3);
        backs.push(Back(to, calldata_, wei_, 1, often));
    }

    /// Makes another call, when it is called for the first-th time and so often.
    function alsoCall(address to, bytes calldata calldata_, uint256 wei_, uint256 first, uint256 often) external {
        mode = 3;
        backs.push(Back(to, calldata_, wei_, first, often));
    }

    /// Returns words to whoever asks.
    function willAnswer(bytes calldata words) external {
        delete answers;
        answers.push(words);
    }

    /// Returns other words to whoever asks next.
    function thenAnswer(bytes calldata words) external {
        answers.push(words);
    }

    function tell(uint256 how) private {
        delete backs;
        delete answers;
        (mode, times, round) = (how, 0, round + 1);
    }

    receive() external payable {
        act(mode);
    }

    fallback() external payable {
        act(mode);
        bytes memory words = answers.length > 0 ? answers[turn()] : usual();
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
        if (gasleft() < 20000) return;
        (bool ok, ) = address(this).call{gas: 50000}(abi.encodeWithSignature("count()"));
        if (!ok) return; // nothing may be written now
        uint256 now_ = times;
        for (uint256 i = 0; i < backs.length; i++) {
            Back storage back = backs[i];
            if (now_ >= back.first && now_ - back.first < back.often) (ok, ) = back.target.call{value: back.sends}(back.data);
        }
    }

    /// How often it was asked before, which cannot be written in a static call:
    /// reading a word costs less if it was read before.
    function turn() private view returns (uint256 n) {
        for (; n + 1 < answers.length; n++) {
            bytes32 slot = keccak256(abi.encode("asked", round, n));
            uint256 cost;
            assembly {
                cost := gas()
                if sload(slot) { revert(0, 0) }
                cost := sub(cost, gas())
            }
            if (cost > 1000) break;
        }
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
        return abi.encode(1, 1, 1, 1, 1, 1, 1, 1);
    }
}
