package main

import (
	"reflect"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"90": 90 * time.Second, "0.5": time.Second / 2, "10s": 10 * time.Second, "1m30s": 90 * time.Second,
		"1.5h": 90 * time.Minute, "2d": 48 * time.Hour, "150ms": 150 * time.Millisecond,
	} {
		var d duration
		if err := d.Set(in); err != nil || time.Duration(d) != want {
			t.Errorf("%q is %v, %v; want %v", in, time.Duration(d), err, want)
		}
		var again duration
		if err := again.Set(d.String()); err != nil || again != d {
			t.Errorf("%q shows as %q, which is %v", in, d.String(), again)
		}
	}
	for _, bad := range []string{"", "0", "-1s", "s", "1x", "1e300", "NaN", "Inf", "d", "1e300d"} {
		if err := new(duration).Set(bad); err == nil {
			t.Errorf("%q is accepted as a duration", bad)
		}
	}
}

func TestParseLines(t *testing.T) {
	f, err := parseLines("/a:b/C.sol:3-5,9")
	if want := (fileLines{path: "/a:b/C.sol", ranges: []lineRange{{3, 5}, {9, 9}}}); err != nil || !reflect.DeepEqual(f, want) {
		t.Errorf("got %v, %v", f, err)
	}
	for _, bad := range []string{"", "A.sol", ":3", "A.sol:", "A.sol:0", "A.sol:5-3", "A.sol:1-", "A.sol:-1", "A.sol:1,,2", "A.sol:x"} {
		if f, err := parseLines(bad); err == nil {
			t.Errorf("%q is parsed as %v", bad, f)
		}
	}
}
