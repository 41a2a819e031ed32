package app

import (
	"bytes"
	"testing"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// A scenario that a build with other parameters wrote is not said to be another one.
func TestHashOfOtherCatalogue(t *testing.T) {
	s := scenario.New("", sim.Defaults())
	text := s.Encode()
	if hash, err := hashOf(text); err != nil || hash != s.Hash() {
		t.Errorf("%q, %v, want %q", hash, err, s.Hash())
	}
	changed := bytes.Replace(text, []byte("vat_rate: 0.08"), []byte("vat_rate: 0.09"), 1)
	if hash, err := hashOf(changed); err != nil || hash == "" || hash == s.Hash() {
		t.Errorf("changed: %q, %v", hash, err)
	}
	at := bytes.Index(text, []byte("  tariff_rate:"))
	without := append(bytes.Clone(text[:at]), text[at+bytes.IndexByte(text[at:], '\n')+1:]...)
	if hash, err := hashOf(without); err != nil || hash != "" {
		t.Errorf("without a parameter: %q, %v", hash, err)
	}
	if _, err := hashOf([]byte("{")); err == nil {
		t.Error("what is no scenario has a hash")
	}
}
