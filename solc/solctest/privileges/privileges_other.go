//go:build !linux

package privileges

import (
	"os"
	"testing"
)

// Drop skips a test that runs as root.
func Drop(t testing.TB, _ ...string) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Skip("root may read and write everywhere")
	}
}
