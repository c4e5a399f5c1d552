// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface IERC721 {
    function ownerOf(uint256 id) external view returns (address);
    function safeTransferFrom(address from, address to, uint256 id) external;
}

interface IWETH {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

interface IERC4626 {
    function asset() external view returns (address);
    function convertToShares(uint256 assets) external view returns (uint256);
}

interface IFeed {
    function latestAnswer() external view returns (int256);
}

interface IOwn {
    function mine() external view returns (uint256);
}

contract Own is IOwn {
    function mine() external pure returns (uint256) {
        return 7;
    }
}

/// Takes two different tokens, and one of each other kind.
contract Needs {
    constructor(IERC20 a, IERC20 b, IERC721 c, IWETH d, IERC4626 e, IFeed f, IOwn g, address _token) {
        require(a != b && a.balanceOf(msg.sender) > 0 && b.balanceOf(msg.sender) > 0);
        require(c.ownerOf(1) == msg.sender);
        d.deposit();
        require(e.asset() != address(0) && e.convertToShares(1) == 1);
        f.latestAnswer();
        require(g.mine() == 7);
        require(IERC20(_token).balanceOf(msg.sender) > 0);
    }

    function use(IERC20 token, uint256 amount) external {
        require(token.transfer(msg.sender, amount));
    }
}

contract Dependent {
    IFeed immutable feed;

    constructor(IFeed f) {
        feed = f;
    }

    function check() external view {
        assert(feed.latestAnswer() != 123456789);
    }
}

interface ICapped is IERC20 {
    function CAP() external view returns (uint256);
}

interface IVersioned is IERC20 {
    function VERSION() external view returns (uint256);
}

/// Calls no getter that a plain token lacks.
contract Saver {
    constructor(ICapped coin) {
        coin.balanceOf(msg.sender);
    }
}

/// Calls one.
contract Reader {
    constructor(IVersioned coin) {
        coin.VERSION();
    }
}

library Halves {
    struct Half {
        address left;
        address right;
    }

    function check(Half storage half) internal view {
        require(IERC20(half.left).balanceOf(msg.sender) > 0);
    }
}

contract Below {
    address private kept;

    constructor(address below) {
        kept = below;
    }

    function check() internal view {
        require(IERC721(kept).ownerOf(1) == msg.sender);
    }
}

interface IERC721Receiver {
    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4);
}

/// Only a library and a base contract show what the addresses are for. Who receives may be an
/// account.
contract Halved is Below {
    struct Setup {
        address left;
        address right;
    }

    Halves.Half private half;

    constructor(Setup[] memory list, address other, address to) Below(other) {
        half = Halves.Half(list[0].left, list[0].right);
        Halves.check(half);
        check();
        if (to.code.length > 0) IERC721Receiver(to).onERC721Received(to, to, 1, "");
    }
}

/// Its users take what it returns for a contract, and so does it in one place.
contract Possessed {
    address private chief;

    constructor(address head) {
        chief = head;
    }

    function whose() public view returns (address) {
        return chief;
    }

    function ask() external view returns (uint256) {
        return IOwn(whose()).mine();
    }
}

struct Shared {
    address item;
}

/// Takes the address in the struct for a contract.
contract Calling {
    constructor(Shared memory s) {
        require(IOwn(s.item).mine() == 7);
    }
}

/// Does not.
contract Holding {
    address private item;

    constructor(Shared memory s) {
        item = s.item;
    }
}

contract Third {
    constructor(address[] memory list) {
        require(list[4] != address(0));
    }
}

/// Only the base contract shows how many elements the list needs.
contract Derived is Third {
    constructor(address[] memory names) Third(names) {}
}
