package report

import "leveret/engine/finding"

// A Sample is the state of a campaign at one time.
type Sample struct {
	Seconds      float64 `json:"seconds"`
	Inputs       int     `json:"inputs"`
	Paths        int     `json:"paths"`
	Instructions int     `json:"instructions"` // covered
	Branches     int     `json:"branches"`     // covered
	Findings     int     `json:"findings"`
}

// NewSample returns the sample of a campaign with a number of findings.
func NewSample(s *finding.Stats, findings int) Sample {
	return Sample{s.Seconds, s.Inputs, s.Paths, s.Instructions.Covered, s.Branches.Covered, findings}
}

// maxSamples bounds the Samples of a Curve.
const maxSamples = 240

// A Curve is how a campaign went: Samples at even distances, and the last one.
type Curve struct {
	Samples  []Sample
	interval float64 // seconds between Samples
}

// Add adds the newest sample. A Curve that is full drops every second one.
func (c *Curve) Add(s Sample) {
	if n := len(c.Samples); n > 1 && s.Seconds-c.Samples[n-2].Seconds < c.interval {
		c.Samples[n-1] = s
		return
	}
	if c.Samples = append(c.Samples, s); len(c.Samples) <= maxSamples {
		return
	}
	kept := c.Samples[:0]
	for i := 0; i < len(c.Samples); i += 2 {
		kept = append(kept, c.Samples[i])
	}
	if last := s; kept[len(kept)-1] != last {
		kept = append(kept, last)
	}
	c.Samples = kept
	c.interval = max(2*c.interval, 2*s.Seconds/maxSamples)
}
