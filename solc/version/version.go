// Package version has the compiler's versions, the version ranges of pragmas,
// and which compiler knows which EVM version.
package version

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// A Version is a release of the compiler. Pre is set for nightly and other
// pre-release builds, which sort before the release.
type Version struct {
	Major, Minor, Patch int
	Pre                 string
}

var versionText = regexp.MustCompile(`(?:^|[^0-9.])([0-9]{1,5})\.([0-9]{1,5})\.([0-9]{1,5})(-[0-9A-Za-z.-]+)?`)

// Parse finds the first version in s: "0.8.30",
// "v0.8.30+commit.73712a01" and the last line of `solc --version` alike.
func Parse(s string) (Version, bool) {
	m := versionText.FindStringSubmatch(s)
	if m == nil {
		return Version{}, false
	}
	var v Version
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch} {
		*field, _ = strconv.Atoi(m[i+1])
	}
	if m[4] != "" {
		v.Pre = m[4][1:]
	}
	return v, true
}

// String returns the version as it is written in pragmas.
func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Pre != "" {
		s += "-" + v.Pre
	}
	return s
}

// Compare orders versions; a pre-release comes before its release.
func (v Version) Compare(w Version) int {
	if c := v.CompareRelease(w); c != 0 {
		return c
	}
	switch {
	case v.Pre == w.Pre:
		return 0
	case v.Pre == "":
		return 1
	case w.Pre == "":
		return -1
	}
	return cmp.Compare(v.Pre, w.Pre)
}

func (v Version) CompareRelease(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// AtLeast reports whether v is release major.minor.patch or later.
func (v Version) AtLeast(major, minor, patch int) bool {
	return v.CompareRelease(Version{Major: major, Minor: minor, Patch: patch}) >= 0
}
