package solc

import (
	"regexp"
	"strings"
)

// MatchPath reports whether a glob of forge (match_path, no_match_path, skip)
// matches a file of a project with a root, both with slashes and absolute: its
// path, or that below the root. A pattern that is part of the file's name matches
// too.
func MatchPath(pattern, root, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if pattern == "" || strings.Contains(name, pattern) {
		return pattern != ""
	}
	relative, below := strings.CutPrefix(path, strings.TrimSuffix(root, "/")+"/")
	return MatchGlob(pattern, path) || below && (MatchGlob(pattern, relative) || MatchGlob(pattern, "./"+relative))
}

// MatchGlob reports whether a glob matches a whole path, as the library globset
// of forge decides with its defaults: "*" and "?" also match slashes. It takes
// linear time, which libraries for globs do not promise: patterns come from
// workspaces that may be hostile. An invalid pattern matches nothing.
func MatchGlob(pattern, path string) bool {
	expression, err := regexp.Compile(globExpression(pattern))
	return err == nil && expression.MatchString(path)
}

// globExpression translates a glob to a regular expression.
func globExpression(pattern string) string {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	open := 0 // braces
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/") && (i == 0 || pattern[i-1] == '/'):
			b.WriteString(`(?:.*/)?`)
			i += len("*/")
		case c == '*':
			b.WriteString(`.*`)
		case c == '?':
			b.WriteString(`.`)
		case c == '[':
			end := strings.IndexByte(pattern[min(i+2, len(pattern)):], ']') // one right after the bracket is in the class
			if end < 0 {
				return `\z.` // matches nothing
			}
			class := pattern[i+1 : i+2+end]
			i += 2 + end
			b.WriteString(globClass(class))
		case c == '{':
			open++
			b.WriteString(`(?:`)
		case c == '}' && open > 0:
			open--
			b.WriteString(`)`)
		case c == ',' && open > 0:
			b.WriteString(`|`)
		case c == '\\' && i+1 < len(pattern):
			i++
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		default:
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	b.WriteString(`\z`)
	return b.String()
}

// globClass translates the inside of brackets.
func globClass(class string) string {
	inverse := ""
	if class[0] == '!' || class[0] == '^' {
		inverse, class = "^", class[1:]
	}
	return "[" + inverse + strings.NewReplacer(`\`, `\\`, `]`, `\]`, `[`, `\[`, `^`, `\^`, `&`, `\&`, `~`, `\~`).Replace(class) + "]"
}
