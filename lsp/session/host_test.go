package session

import (
	"net/http/httptest"
	"testing"

	"go.uber.org/zap"

	"leveret/engine/fork/forktest"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
)

// Campaigns start from the chain of the user's settings, those of a session after
// the same block; replays start from the one that a finding names.
func TestForkOfCampaigns(t *testing.T) {
	chain := &forktest.Chain{ID: 10, Latest: 500}
	server := httptest.NewServer(forktest.New(chain))
	t.Cleanup(server.Close)
	h := &hosts{cache: t.TempDir(), log: zap.NewNop()}
	named := &input.Deployment{Fork: &input.Fork{Chain: 10, Block: 400}}
	for _, row := range []struct {
		name    string
		set     settings.Settings
		at      *input.Deployment
		replays bool
		want    uint64 // block; 0: no fork
	}{
		{"no chain", settings.Settings{}, nil, false, 0},
		{"no chain for a replay", settings.Settings{}, named, true, 0},
		{"latest", settings.Settings{ForkURL: server.URL}, nil, false, 520},
		{"latest of the session", settings.Settings{ForkURL: server.URL}, nil, false, 520},
		{"pinned", settings.Settings{ForkURL: server.URL, ForkBlock: 300}, nil, false, 300},
		{"replay", settings.Settings{ForkURL: server.URL, ForkBlock: 300}, named, true, 400},
		{"replay without a fork", settings.Settings{ForkURL: server.URL}, &input.Deployment{}, true, 0},
	} {
		out, closed, err := h.open(t.Context(), &solc.Contract{Name: "Vault"}, row.set, row.at, row.replays)
		closed()
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		have := uint64(0)
		if out.Fork != nil {
			have = out.Fork.Block.Number
		}
		if have != row.want || out.Host != nil {
			t.Errorf("%s: block %d, want %d", row.name, have, row.want)
		}
		chain.Latest += 10
	}
	server.Close()
	if _, closed, err := h.open(t.Context(), &solc.Contract{}, settings.Settings{ForkURL: server.URL, ForkBlock: 200}, nil, false); err == nil {
		t.Error("a chain that cannot be reached is open")
	} else {
		closed()
	}
}
