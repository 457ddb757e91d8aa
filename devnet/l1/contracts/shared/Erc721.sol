// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What a contract answers that takes tokens (EIP-721).
interface IErc721Receiver {
    function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data)
        external
        returns (bytes4);
}

/// EIP-721 with its extensions for metadata and enumeration; the heirs say where tokens come from.
abstract contract Erc721 {
    string public name;
    string public symbol;

    mapping(uint256 => address) private owners;
    mapping(uint256 => address) private approvals;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    uint256[] private tokens;
    mapping(uint256 => uint256) private placeInTokens;
    mapping(address => uint256[]) private tokensOf;
    mapping(uint256 => uint256) private placeInTokensOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function tokenURI(uint256 tokenId) external view virtual returns (string memory);

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        require(owner != address(0), "ERC721: invalid token ID");
    }

    function balanceOf(address owner) external view returns (uint256) {
        require(owner != address(0), "ERC721: address zero is not a valid owner");
        return tokensOf[owner].length;
    }

    function getApproved(uint256 tokenId) external view returns (address) {
        ownerOf(tokenId);
        return approvals[tokenId];
    }

    function totalSupply() external view returns (uint256) {
        return tokens.length;
    }

    function tokenByIndex(uint256 index) external view returns (uint256) {
        require(index < tokens.length, "ERC721: no token has this index");
        return tokens[index];
    }

    function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256) {
        require(index < tokensOf[owner].length, "ERC721: no token of the owner has this index");
        return tokensOf[owner][index];
    }

    function approve(address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        require(
            msg.sender == owner || isApprovedForAll[owner][msg.sender],
            "ERC721: caller may not approve for the owner"
        );
        approvals[tokenId] = to;
        emit Approval(owner, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        address owner = ownerOf(tokenId);
        require(
            msg.sender == owner || msg.sender == approvals[tokenId] || isApprovedForAll[owner][msg.sender],
            "ERC721: caller is not token owner or approved"
        );
        require(owner == from, "ERC721: transfer from incorrect owner");
        require(to != address(0), "ERC721: transfer to the zero address");
        _take(from, tokenId);
        _give(to, tokenId);
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        _requireReceived(from, to, tokenId, data);
    }

    /// EIP-165.
    function supportsInterface(bytes4 interfaceId) public view virtual returns (bool) {
        // EIP-165 itself, then EIP-721 with metadata and enumeration.
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x80ac58cd || interfaceId == 0x5b5e139f
            || interfaceId == 0x780e9d63;
    }

    function _safeMint(address to, uint256 tokenId) internal {
        require(to != address(0), "ERC721: mint to the zero address");
        require(owners[tokenId] == address(0), "ERC721: token already minted");
        placeInTokens[tokenId] = tokens.length;
        tokens.push(tokenId);
        _give(to, tokenId);
        emit Transfer(address(0), to, tokenId);
        _requireReceived(address(0), to, tokenId, "");
    }

    function _burn(uint256 tokenId) internal {
        address owner = ownerOf(tokenId);
        _take(owner, tokenId);
        _fill(tokens, placeInTokens, tokenId);
        emit Transfer(owner, address(0), tokenId);
    }

    function _give(address to, uint256 tokenId) private {
        owners[tokenId] = to;
        placeInTokensOf[tokenId] = tokensOf[to].length;
        tokensOf[to].push(tokenId);
    }

    function _take(address from, uint256 tokenId) private {
        delete owners[tokenId];
        delete approvals[tokenId];
        _fill(tokensOf[from], placeInTokensOf, tokenId);
    }

    /// Takes the token out of a list: the last one takes its place.
    function _fill(uint256[] storage list, mapping(uint256 => uint256) storage places, uint256 tokenId) private {
        uint256 last = list[list.length - 1];
        list[places[tokenId]] = last;
        places[last] = places[tokenId];
        delete places[tokenId];
        list.pop();
    }

    function _requireReceived(address from, address to, uint256 tokenId, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IErc721Receiver(to).onERC721Received(msg.sender, from, tokenId, data);
        require(
            answer == IErc721Receiver.onERC721Received.selector,
            "ERC721: transfer to non ERC721Receiver implementer"
        );
    }
}
