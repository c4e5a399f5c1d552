package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A duration is a flag that takes "90", "90s", "1m30s", "1.5h" or "2d".
type duration time.Duration

// String shows the value as it could be given.
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

// Type names the kind of value in the help.
func (d *duration) Type() string { return "duration" }

// Set reads a value; a plain number counts seconds.
func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		v, err = parseNumber(s)
	}
	if err != nil || v <= 0 {
		return fmt.Errorf("%q is no positive length of time; write 30s, 5m, 1h30m or 2d", s)
	}
	*d = duration(v)
	return nil
}

// parseNumber reads a number of seconds, or of days with a "d" behind it.
func parseNumber(s string) (time.Duration, error) {
	unit := time.Second
	if days, ok := strings.CutSuffix(s, "d"); ok {
		s, unit = days, 24*time.Hour
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || math.Abs(n)*float64(unit) > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return time.Duration(n * float64(unit)), nil
}
