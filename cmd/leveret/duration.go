package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A duration is a flag value such as "90" (seconds), "90s", "1m30s", "1.5h" or "2d".
type duration time.Duration

// String formats the value so that Set accepts it.
func (d *duration) String() string {
	s := time.Duration(*d).String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// Type is the name of the value in --help.
func (d *duration) Type() string { return "duration" }

// Set parses a value; a plain number is in seconds.
func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		v, err = parseNumber(s)
	}
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is not a positive duration; write 30s, 5m, 1h30m or 2d", s)
	}
	*d = duration(v)
	return nil
}

// parseNumber parses a number of seconds, or of days with the suffix "d".
func parseNumber(s string) (time.Duration, error) {
	unit := time.Second
	if days, ok := strings.CutSuffix(s, "d"); ok {
		s, unit = days, 24*time.Hour
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || math.Abs(n)*float64(unit) > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return time.Duration(n * float64(unit)), nil
}
