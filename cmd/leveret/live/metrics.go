package live

import (
	"net/http"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"leveret/engine/finding"
	"leveret/engine/report"
)

// A gauge is a figure of a campaign, one for each contract.
type gauge struct {
	name, help string
	kind       prometheus.ValueType
	value      func(*finding.Stats) float64
}

// gauges lists the figures of a campaign.
var gauges = []gauge{
	{"inputs_total", "Inputs executed.", prometheus.CounterValue, func(s *finding.Stats) float64 { return float64(s.Inputs) }},
	{"transactions_total", "Transactions executed.", prometheus.CounterValue, func(s *finding.Stats) float64 { return float64(s.Transactions) }},
	{"seconds_total", "Time of the campaign.", prometheus.CounterValue, func(s *finding.Stats) float64 { return s.Seconds }},
	{"paths", "Distinct paths executed.", prometheus.GaugeValue, func(s *finding.Stats) float64 { return float64(s.Paths) }},
	{"instructions", "Instructions of the deployed code.", prometheus.GaugeValue, func(s *finding.Stats) float64 { return float64(s.Instructions.Total) }},
	{"instructions_covered", "Instructions executed.", prometheus.GaugeValue, func(s *finding.Stats) float64 { return float64(s.Instructions.Covered) }},
	{"branches", "Branches of the source.", prometheus.GaugeValue, func(s *finding.Stats) float64 { return float64(s.Branches.Total) }},
	{"branches_covered", "Branches of the source taken.", prometheus.GaugeValue, func(s *finding.Stats) float64 { return float64(s.Branches.Covered) }},
}

// namespace begins the names of all figures.
const namespace = "leveret_"

var (
	ofContract  = []string{"contract", "file"}
	sourceDesc  = prometheus.NewDesc(namespace+"source_inputs_total", "Inputs executed, by the source that proposed them.", []string{"contract", "file", "source"}, nil)
	newDesc     = prometheus.NewDesc(namespace+"source_new_paths_total", "Inputs that took a new path, by the source that proposed them.", []string{"contract", "file", "source"}, nil)
	findingDesc = prometheus.NewDesc(namespace+"findings", "Findings, one for each place and cause.", []string{"oracle", "severity"}, nil)
)

// figures collects the figures of a run from snapshots.
type figures struct {
	look  func() *report.Report
	descs []*prometheus.Desc // of gauges
}

// metricsHandler answers in Prometheus' text format: the figures of the run, and the
// memory and time of this process.
func metricsHandler(look func() *report.Report) http.Handler {
	f := &figures{look: look}
	for _, g := range gauges {
		f.descs = append(f.descs, prometheus.NewDesc(namespace+g.name, g.help, ofContract, nil))
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(f, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxWatchers})
}

// Describe implements prometheus.Collector.
func (f *figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range append(f.descs, sourceDesc, newDesc, findingDesc) {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (f *figures) Collect(to chan<- prometheus.Metric) {
	r := f.look()
	for i := range r.Contracts {
		if c := &r.Contracts[i]; c.Stats.Inputs > 0 {
			f.campaign(to, c)
		}
	}
	type kind struct{ oracle, severity string }
	found := map[kind]int{}
	for _, g := range r.Groups() {
		if shown := g.Shown(); !g.Accepted {
			found[kind{shown.Oracle, shown.Severity.String()}]++
		}
	}
	for k, n := range found {
		to <- prometheus.MustNewConstMetric(findingDesc, prometheus.GaugeValue, float64(n), k.oracle, k.severity)
	}
}

// campaign sends the figures of one contract.
func (f *figures) campaign(to chan<- prometheus.Metric, c *report.Contract) {
	file := filepath.Join(c.Root, filepath.FromSlash(c.File)) // projects may have files of one name
	for i, g := range gauges {
		to <- prometheus.MustNewConstMetric(f.descs[i], g.kind, g.value(&c.Stats), c.Name, file)
	}
	for name, s := range c.Stats.Sources {
		to <- prometheus.MustNewConstMetric(sourceDesc, prometheus.CounterValue, float64(s.Tried), c.Name, file, name)
		to <- prometheus.MustNewConstMetric(newDesc, prometheus.CounterValue, float64(s.NewPaths), c.Name, file, name)
	}
}
