package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"econ-mcp/internal/fault"
)

// Transcript is a file of the events of a session, one JSON object a line, each written as
// it happens. It has calls and results word for word, and may hold what is secret: only its
// user can read it.
type Transcript struct {
	path string
	file *os.File
	err  error // the first of writing
}

// NewTranscript makes the file, and its folder. A file that is there is not overwritten.
func NewTranscript(path string) (*Transcript, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &Transcript{path: path, file: f}, nil
}

// Path is that of the file.
func (t *Transcript) Path() string { return t.path }

// write adds a line. Close returns its error.
func (t *Transcript) write(e Event) {
	if t == nil || t.err != nil || e.Kind == KindDelta || e.Kind == KindProgress {
		return
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if t.err = enc.Encode(e); t.err == nil {
		_, t.err = t.file.Write(line.Bytes()) // in one piece: a killed process leaves whole lines
	}
}

// Close closes the file. Its error is the first of all that went wrong with it.
func (t *Transcript) Close() error {
	if err := errors.Join(t.err, t.file.Close()); err != nil {
		return fmt.Errorf("the transcript is not complete: %w", err)
	}
	return nil
}

// ReadTranscript reads the events of a file. A last line that was cut off is ignored; any other
// line that is no event is an error.
func ReadTranscript(path string) ([]Event, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var events []Event
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e Event
		err := json.Unmarshal(line, &e)
		if err == nil && e.Kind == "" {
			err = errors.New("it has no kind")
		}
		switch cutOff := i == len(lines)-1 && len(events) > 0; {
		case err == nil:
			events = append(events, e)
		case !cutOff:
			return nil, fmt.Errorf("%s:%d: this is no event of a transcript: %s", path, i+1, fault.JSON(err))
		}
	}
	if len(events) == 0 {
		return nil, fmt.Errorf("%s: the transcript is empty", path)
	}
	return events, nil
}
