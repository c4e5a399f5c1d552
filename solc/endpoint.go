package solc

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// An EndpointURL is the URL of a node, which may have a key in it and
// placeholders, "https://eth.example/v2/${KEY}". Printing it hides both.
type EndpointURL string

// String returns scheme and host, or only placeholders.
func (u EndpointURL) String() string {
	if parsed, err := url.Parse(string(u)); err == nil && parsed.Host != "" && !strings.Contains(parsed.Host, "$") {
		return parsed.Scheme + "://" + parsed.Host
	}
	if names := u.Variables(); len(names) > 0 {
		return "${" + strings.Join(names, "}${") + "}"
	}
	return "(hidden)"
}

// GoString hides the same as String.
func (u EndpointURL) GoString() string { return u.String() }

var placeholder = regexp.MustCompile(`\$\{\s*(.*?)\s*\}`)

// Variables returns the environment variables that u has placeholders of.
func (u EndpointURL) Variables() []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(string(u), -1) {
		names = append(names, m[1])
	}
	return names
}

// Resolve returns the URL with the values of its environment variables. Only for
// trusted workspaces: the configuration chooses the variable and the host that
// receives its value.
func (u EndpointURL) Resolve(getenv func(string) string) (string, error) {
	missing := ""
	text := placeholder.ReplaceAllStringFunc(string(u), func(m string) string {
		name := placeholder.FindStringSubmatch(m)[1]
		value := getenv(name)
		if value == "" && missing == "" {
			missing = name
		}
		return value
	})
	if missing != "" {
		return "", fmt.Errorf("the environment variable %s of an RPC endpoint is not set; set it, or change the endpoint in foundry.toml", missing)
	}
	return text, nil
}
