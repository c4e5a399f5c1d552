package main

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// median is the median of xs; NaN if empty.
func median(xs []float64) float64 {
	return moremath.Sample{Xs: xs}.Quantile(0.5)
}

// mean is the mean of xs; NaN if empty.
func mean(xs []float64) float64 {
	return moremath.Sample{Xs: xs}.Mean()
}

// mannWhitney is the two-sided p-value of the Wilcoxon-Mann-Whitney U test: the
// probability of samples at least as different as these if they had one
// distribution; 1 if all values are equal.
func mannWhitney(a, b []float64) float64 {
	result, err := moremath.MannWhitneyUTest(a, b, moremath.LocationDiffers)
	if err == moremath.ErrSamplesEqual {
		return 1
	}
	if err != nil {
		return math.NaN()
	}
	return result.P
}

// signTest is the two-sided p-value of the sign test: the probability of counts
// at least as far apart if up and down were equally likely.
func signTest(up, down int) float64 {
	coin := moremath.BinomialDist{N: up + down, P: 0.5}
	return min(1, 2*coin.CDF(float64(min(up, down))))
}

// smaller is the Vargha-Delaney effect size A12: the probability that a value
// of a is smaller than one of b, ties counting half.
func smaller(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return math.NaN()
	}
	wins := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case x < y:
				wins++
			case x == y:
				wins += 0.5
			}
		}
	}
	return wins / float64(len(a)*len(b))
}
