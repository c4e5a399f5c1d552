package solc

import (
	"strings"
	"testing"
)

func TestMatchPath(t *testing.T) {
	for _, row := range []struct {
		pattern, path string
		want          bool
	}{
		{"test/*", "/p/test/A.t.sol", true}, {"test/*", "/p/test/deep/A.t.sol", true}, {"./test/*", "/p/test/A.t.sol", true},
		{"test/A.t.sol", "/p/test/A.t.sol", true}, {"/p/test/*.sol", "/p/test/A.t.sol", true}, {"/q/*", "/p/test/A.t.sol", false},
		{"**/test/**", "/p/test/A.t.sol", true}, {"*/script/**", "/p/script/A.sol", true}, {"src/*", "/p/test/A.t.sol", false},
		{".t.sol", "/p/src/A.t.sol", true}, {".s.sol", "/p/src/A.t.sol", false}, {"A.t", "/p/src/A.t.sol", true},
		{"test/{A,B}.t.sol", "/p/test/B.t.sol", true}, {"test/?.t.sol", "/p/test/B.t.sol", true}, {"**/**/A.t.sol", "/p/A.t.sol", true},
		{"test/[A-C].t.sol", "/p/test/B.t.sol", true}, {"test/[!A-C].t.sol", "/p/test/B.t.sol", false}, {"test/[]].t.sol", "/p/test/].t.sol", true},
		{`test/\*.t.sol`, "/p/test/B.t.sol", false}, {"test/B+.t.sol", "/p/test/BB.t.sol", false}, {"**", "/p/A.sol", true}, {"[]", "/p/A.sol", false}, {"[z-a]", "/p/A.sol", false},
		{strings.Repeat("{a,a}", 40) + "b", "/p/" + strings.Repeat("a", 100), false}, {strings.Repeat("*a", 40) + "b", "/p/" + strings.Repeat("a", 100), false},
		{strings.Repeat("{", 5000), "/p/A.sol", false},
		{"", "/p/A.sol", false}, {"[", "/p/A.sol", false}, {"{", "/p/A.sol", false},
	} {
		if got := MatchPath(row.pattern, "/p", row.path); got != row.want {
			t.Errorf("%q and %s: %v", row.pattern, row.path, got)
		}
	}
}
