package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// Only y and yes are a yes. A question that is interrupted ends its line, so that what is said
// next does not stand behind it.
func TestAgreed(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "yes": true, "\n": false, "": false, "yesterday\n": false} {
		var out bytes.Buffer
		if yes, err := agreed(t.Context(), strings.NewReader(answer), &out, "Call it?"); yes != want || err != nil ||
			out.String() != "\rCall it? [y/N] " {
			t.Errorf("%q: %t, %v, %q", answer, yes, err, out.String())
		}
	}
	nobody, answers := io.Pipe()
	defer answers.Close()
	interrupted := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(interrupted)
	var out bytes.Buffer
	if yes, err := agreed(ctx, nobody, &out, "Call it?"); yes || !errors.Is(err, interrupted) || !strings.HasSuffix(out.String(), "[y/N] \n") {
		t.Errorf("%t, %v, %q", yes, err, out.String())
	}
}
