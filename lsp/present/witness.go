package present

import (
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/session"
)

// A WitnessJSON is a finding with its witness, for other programs.
type WitnessJSON struct {
	ID         string               `json:"id"`
	Oracle     string               `json:"oracle"`
	Severity   finding.Severity     `json:"severity"`
	Message    string               `json:"message"`
	Contract   string               `json:"contract"`
	File       string               `json:"file"`
	Deployment []input.JSONCreation `json:"deployment"`
	Sequence   []input.JSONTx       `json:"sequence"`
}

// Witness returns a finding as a WitnessJSON.
func Witness(m session.ContractMark) WitnessJSON {
	f := m.Finding
	w := WitnessJSON{ID: f.ID, Oracle: f.Oracle, Severity: m.Severity, Message: f.Message, Contract: f.Contract, File: f.Place.File}
	if f.Witness.Deployment != nil {
		w.Deployment, w.Sequence = f.Witness.JSON(input.BlockTime{})
	}
	return w
}
