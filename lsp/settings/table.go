package settings

import (
	"fmt"
	"strings"
	"time"
)

// Table documents all settings as a markdown table.
func Table() string {
	var b strings.Builder
	b.WriteString("| setting | value | default | meaning |\n|---|---|---|---|\n")
	defaults := Default()
	for _, key := range Keys {
		value := "the oracle's default"
		if key.get != nil {
			value = show(key.get(defaults))
		}
		doc := key.Doc
		switch {
		case key.User:
			doc += " Ignored in the workspace's leveret.toml."
		case key.Restricted:
			doc += " In leveret.toml, only if the workspace is trusted."
		}
		fmt.Fprintf(&b, "| `leveret.%s` | %s | %s | %s |\n", key.Name, key.Type, value, doc)
	}
	return b.String()
}

func show(v any) string {
	switch v := v.(type) {
	case time.Duration:
		return fmt.Sprintf("`%q`", v.String())
	case string:
		return fmt.Sprintf("`%q`", v)
	}
	return fmt.Sprintf("`%v`", v)
}
