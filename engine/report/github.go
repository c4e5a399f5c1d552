package report

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report/words"
)

// githubCommands are the workflow commands of GitHub Actions that annotate a line.
var githubCommands = map[finding.Severity]string{
	finding.Error: "error", finding.Warning: "warning", finding.Information: "notice", finding.Hint: "notice",
}

// Escapes of a workflow command, as in actions/toolkit's command.ts.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes findings as workflow commands, which GitHub Actions shows at their
// lines: those that are not in the baseline. Files are relative to Options.Dir, which
// should be the root of the repository.
func GitHub(w io.Writer, r *Report, o Options) error {
	t := bufio.NewWriter(w)
	for _, g := range fresh(r.Groups()) {
		f := g.Shown()
		text := githubData.Replace(f.Message + "\n- " + strings.Join(words.Sentences(f.Witness), "\n- "))
		file := githubProperty.Replace(filepath.ToSlash(o.File(f.Place)))
		printfTo(t, "::%s file=%s,line=%d,endLine=%d,title=%s::%s\n", githubCommands[f.Severity], file, f.Place.Start.Line, f.Place.End.Line, githubProperty.Replace(f.Oracle), text)
	}
	return t.Flush()
}
