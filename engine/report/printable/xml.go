package printable

import (
	"encoding/xml"
	"io"
)

// XML writes a document after its header, indented.
func XML(w io.Writer, header string, document any) error {
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
