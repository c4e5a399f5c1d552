package engine

import (
	"leveret/engine/deploy"
	"leveret/engine/input"
)

// Start is the block that deployments happen in: reports reckon the blocks of
// Txs from it.
func Start() input.BlockTime {
	return input.BlockTime{Number: deploy.Genesis.Number, Timestamp: deploy.Genesis.Timestamp}
}
