package fork

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Host returns what may be shown of an endpoint's URL: scheme and host. The rest
// may be a secret.
func Host(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return "the endpoint"
	}
	return shown(u)
}

func shown(u *url.URL) string { return u.Scheme + "://" + u.Host }

// maxMessage bounds what is shown of an endpoint's own words, in bytes.
const maxMessage = 200

// scrub returns an endpoint's own words without the secret parts of its URL and
// without control characters.
func scrub(u *url.URL, text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	for _, secret := range secrets(u) {
		text = regexp.MustCompile("(?i)"+regexp.QuoteMeta(secret)).ReplaceAllLiteralString(text, "…")
	}
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "…"
	}
	return strings.TrimSpace(text)
}

// shortestSecret is the length from which on a part of a URL may be a secret.
const shortestSecret = 4

// secrets lists the parts of a URL that must not be shown, the longest first.
func secrets(u *url.URL) []string {
	parts := []string{u.RawQuery, u.Fragment, u.EscapedPath(), u.Path}
	if password, ok := u.User.Password(); ok {
		parts = append(parts, password, url.QueryEscape(password))
	}
	parts = append(parts, u.User.Username(), url.QueryEscape(u.User.Username()))
	parts = append(parts, strings.Split(u.Path, "/")...)
	parts = append(parts, strings.Split(u.EscapedPath(), "/")...)
	for name, values := range u.Query() {
		parts = append(append(parts, name), values...)
	}
	parts = append(parts, strings.FieldsFunc(u.RawQuery, func(r rune) bool { return r == '&' || r == '=' })...)
	parts = slices.DeleteFunc(parts, func(s string) bool { return len(s) < shortestSecret })
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(parts)
}
