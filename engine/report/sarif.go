package report

import (
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
)

// rootID is the uriBaseId of the root folder.
const rootID = "PROJECTROOT"

// sarifLevels are the levels of SARIF 2.1.0, section 3.27.10.
var sarifLevels = map[finding.Severity]string{
	finding.Error: "error", finding.Warning: "warning", finding.Information: "note", finding.Hint: "note",
}

// SARIF writes the report in the Static Analysis Results Interchange Format (SARIF)
// 2.1.0. A witness becomes a code flow.
func SARIF(w io.Writer, r *Report, _ Options) error {
	driver := sarif.NewToolComponent().WithName("Leveret").WithVersion(r.Tool)
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver)).WithColumnKind("unicodeCodePoints")
	run.OriginalUriBaseIds = map[string]sarif.ArtifactLocation{rootID: *sarif.NewSimpleArtifactLocation(fileURI(r.Root) + "/")}
	for _, g := range r.Groups() {
		w := sarifWriter{run, g.Shown().Of.Root == r.Root}
		result := w.result(&g)
		if state := r.state(&g); state != "" {
			result.WithBaselineState(state)
		}
		run.AddResult(result)
	}
	document := sarif.NewReport()
	document.AddRun(run)
	return document.PrettyWrite(&printable.JSONWriter{W: w})
}

// A sarifWriter writes groups.
type sarifWriter struct {
	run    *sarif.Run
	inRoot bool // paths are relative to the root of the run
}

func (w sarifWriter) result(g *Group) *sarif.Result {
	f := g.Shown()
	if rule := w.run.AddRule(f.Oracle); rule.Name == nil { // the first result of the rule, and the most severe
		describe(rule, f.Finding)
	}
	message := f.Message
	if in := g.contracts(); in != "" {
		message += ", in " + in
	}
	result := sarif.NewRuleResult(f.Oracle).
		WithRuleIndex(w.run.GetRuleIndex(f.Oracle)).
		WithLevel(sarifLevels[f.Severity]).
		WithMessage(sarif.NewTextMessage(message)).
		AddLocation(w.location(f.Place)).
		WithPartialFingerprints(map[string]string{"leveretGroup/v1": g.ID})
	for i, rel := range f.Related {
		result.AddRelatedLocation(w.location(rel.Place).WithID(i + 1).WithMessage(sarif.NewTextMessage(rel.Message)))
	}
	result.AddCodeFlow(w.flow(f))
	properties := sarif.NewPropertyBag()
	properties.Add("id", f.ID)
	properties.Add("contract", f.Contract)
	properties.Add("contracts", g.Contracts())
	properties.Add("oracles", g.Oracles())
	properties.Add("function", f.Function)
	for _, e := range f.Evidence {
		properties.Add("evidence."+e.Name, e.Value)
	}
	return result.WithProperties(properties)
}

func (w sarifWriter) location(p finding.Place) *sarif.Location {
	artifact := sarif.NewSimpleArtifactLocation(fileURI(p.Path))
	if w.inRoot && !path.IsAbs(p.File) {
		artifact = sarif.NewSimpleArtifactLocation(fileURI(p.File)).WithURIBaseID(rootID)
	}
	region := sarif.NewRegion().
		WithStartLine(p.Start.Line).WithStartColumn(p.Start.Column).
		WithEndLine(p.End.Line).WithEndColumn(p.End.Column)
	return sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().WithArtifactLocation(artifact).WithRegion(region))
}

// fileURI converts a path to a URI, which is relative if the path is.
func fileURI(file string) string {
	u := url.URL{Path: strings.ReplaceAll(file, "\\", "/")}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return u.String()
}
