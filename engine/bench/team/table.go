package main

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// write prints the tables of results.
func write(w io.Writer, list []result) {
	fmt.Fprintln(w, "| contract | workers | CPU s | inputs | instructions at 1/4 | at 1/2 | at the end | branches | findings | CPU s of one worker for the same |")
	fmt.Fprintln(w, "|:---------|--------:|------:|-------:|-----:|-----:|-----:|-----:|-----:|-----:|")
	ratios := map[int][]float64{}
	for i := range list {
		r := &list[i]
		same := "-"
		if one := alone(list, r); one != nil && r.Workers > 1 {
			goal := common(one, r)
			ratio := one.reaches(goal) / r.reaches(goal)
			ratios[r.Workers] = append(ratios[r.Workers], ratio)
			same = fmt.Sprintf("%.1f / %.1f = %.2f for %d", one.reaches(goal), r.reaches(goal), ratio, goal)
		}
		last := r.Samples[len(r.Samples)-1]
		fmt.Fprintf(w, "| %s | %d | %.0f | %d | %d | %d | %d | %d | %d | %s |\n", r.Contract, r.Workers, r.CPU, r.Inputs,
			r.at(last.CPU/4), r.at(last.CPU/2), last.Instructions, last.Branches, len(r.Findings), same)
	}
	fmt.Fprintln(w)
	for _, n := range teams {
		if len(ratios[n]) > 0 {
			fmt.Fprintf(w, "%d workers: median %.2f of linear, geometric mean %.2f.\n", n, median(ratios[n]), mean(ratios[n]))
		}
	}
}

// alone returns the run with one worker beside a run.
func alone(list []result, r *result) *result {
	i := slices.IndexFunc(list, func(o result) bool { return o.Contract == r.Contract && o.Run == r.Run && o.Workers == 1 })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// tolerance is the part of the coverage that is left to chance.
const tolerance = 0.005

// common returns the most instructions that both runs cover, less the tolerance.
func common(a, b *result) int {
	return int((1 - tolerance) * float64(min(a.Samples[len(a.Samples)-1].Instructions, b.Samples[len(b.Samples)-1].Instructions)))
}

// reaches returns the CPU seconds until so many instructions are covered.
func (r *result) reaches(instructions int) float64 {
	for _, s := range r.Samples {
		if s.Instructions >= instructions {
			return s.CPU
		}
	}
	return math.NaN()
}

// at returns the instructions covered after so many CPU seconds.
func (r *result) at(cpu float64) (covered int) {
	for _, s := range r.Samples {
		if s.CPU <= cpu {
			covered = s.Instructions
		}
	}
	return covered
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(list)))
}
