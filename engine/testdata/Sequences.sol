// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Each dial turns only while the one before it shows a number.
contract Lock {
    uint256 private first;
    uint256 private second;
    uint256 private third;

    function turnFirst() external {
        first = (first + 1) % 6;
    }

    function turnSecond() external {
        require(first == 2);
        second = (second + 1) % 7;
    }

    function turnThird() external {
        require(second == 5);
        third = (third + 1) % 5;
    }

    function open() external view {
        if (first == 4) if (second == 3) if (third == 2) assert(false);
    }
}

/// Items leave in the order in which they came, and each is right only in its turn.
contract Queue {
    uint256[] private items;
    uint256 private head;
    uint256 private done;

    function put(uint256 item) external {
        require(items.length - head < 3);
        items.push(item);
    }

    function take() external {
        require(head < items.length);
        uint256 item = items[head++];
        done = item == 771234 + done * 57 ? done + 1 : 0;
        if (done == 3) assert(false);
    }
}

/// Wants signatures of one account, each for the next nonce.
contract Permits {
    uint256 private nonce;

    function permit(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(address(this), amount, nonce));
        require(ecrecover(hash, v, r, s) == 0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf);
        nonce++;
        if (amount > 4321 && nonce == 4) assert(false);
    }
}

/// Counts the turns of senders who take turns.
contract Turns {
    address private last;
    uint256 private turns;

    function take() external {
        turns = msg.sender == last ? 0 : turns + 1;
        last = msg.sender;
        if (turns == 60) assert(false);
    }

    function leave() external {
        turns = 0;
    }
}
