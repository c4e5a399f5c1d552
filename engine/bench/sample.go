package main

import (
	"math"

	moremath "github.com/aclements/go-moremath/stats"
)

// median is the middle of xs, or NaN of none.
func median(xs []float64) float64 {
	return moremath.Sample{Xs: xs}.Quantile(0.5)
}

// mean is the average of xs, or NaN of none.
func mean(xs []float64) float64 {
	return moremath.Sample{Xs: xs}.Mean()
}

// mannWhitney is the p-value of the Wilcoxon-Mann-Whitney U test, two-sided:
// the chance to see samples as different as these if they came from one
// distribution. Samples in which everything is equal differ by nothing: 1.
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

// signTest is the p-value of the sign test, two-sided: the chance of counts as
// far apart as these, or farther, if each was as likely to go up as down.
func signTest(up, down int) float64 {
	coin := moremath.BinomialDist{N: up + down, P: 0.5}
	return min(1, 2*coin.CDF(float64(min(up, down))))
}

// smaller is the Vargha-Delaney effect size A12: the chance that a value of a
// is smaller than one of b, ties counting half.
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
