// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Recipient {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4);
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4);
}

/// Many tokens in one contract. Its first holders own the same amount of each
/// of the tokens 0 to 3.
contract ERC1155 {
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(address => mapping(uint256 => uint256)) private balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    constructor(address[] memory holders, uint256 each) {
        for (uint256 i = 0; i < holders.length; i++) {
            for (uint256 id = 0; id < 4; id++) {
                balances[holders[i]][id] = each;
                emit TransferSingle(msg.sender, address(0), holders[i], id, each);
            }
        }
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function uri(uint256) external pure returns (string memory) {
        return "";
    }

    function balanceOf(address owner, uint256 id) public view returns (uint256) {
        return balances[owner][id];
    }

    function balanceOfBatch(address[] calldata owners, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory list)
    {
        require(owners.length == ids.length, "ERC1155: lengths differ");
        list = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) {
            list[i] = balances[owners[i]][ids[i]];
        }
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        move(from, to, id, value);
        emit TransferSingle(msg.sender, from, to, id, value);
        if (to.code.length > 0) {
            bytes4 answer = Recipient(to).onERC1155Received(msg.sender, from, id, value, data);
            require(answer == Recipient.onERC1155Received.selector, "ERC1155: the recipient refuses");
        }
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external {
        require(ids.length == values.length, "ERC1155: lengths differ");
        for (uint256 i = 0; i < ids.length; i++) {
            move(from, to, ids[i], values[i]);
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
        if (to.code.length > 0) {
            bytes4 answer = Recipient(to).onERC1155BatchReceived(msg.sender, from, ids, values, data);
            require(answer == Recipient.onERC1155BatchReceived.selector, "ERC1155: the recipient refuses");
        }
    }

    function move(address from, address to, uint256 id, uint256 value) private {
        require(to != address(0), "ERC1155: transfer to the zero address");
        require(msg.sender == from || isApprovedForAll[from][msg.sender], "ERC1155: not approved");
        require(balances[from][id] >= value, "ERC1155: insufficient balance");
        balances[from][id] -= value;
        balances[to][id] += value;
    }
}
