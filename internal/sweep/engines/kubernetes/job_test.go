package kubernetes_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep/engines/kubernetes"
)

var update = flag.Bool("update", false, "write the golden files anew")

func job() kubernetes.Job {
	return kubernetes.Job{
		Name: "sweep-what-matters-0123abcd", File: "design.yaml",
		Design: []byte("inquiry:\n    background: {set: {num_households: 600}}\n"), Tasks: 3, CPUs: 2,
		Memory: 500<<20 + 1, Image: "registry.example.org:5000/lab/econ-mcp:0.9.0", Claim: "runs",
	}
}

func manifest(t *testing.T, j kubernetes.Job) []byte {
	t.Helper()
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	text, err := j.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestManifest(t *testing.T) {
	got, golden := manifest(t, job()), filepath.Join("testdata", "job.yaml")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the manifest is not testdata/job.yaml (-update writes it):\n%s", got)
	}
}

// documents are those of a manifest, as JSON has them.
func documents(t *testing.T, text []byte) (list []any) {
	t.Helper()
	for in := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document any
		if err := in.Decode(&document); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, value)
	}
}

// A manifest says nothing that Kubernetes does not know, and everything by its type.
func TestManifestIsOfTheAPI(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := manifest(t, job())
	list := documents(t, text)
	if len(list) != 2 {
		t.Fatalf("%d documents", len(list))
	}
	for _, document := range list {
		if err := schema.Validate(document); err != nil {
			t.Error(err)
		}
	}
	for _, wrong := range [][2]string{
		{"backoffLimitPerIndex: 6", "backOffLimitPerIndex: 6"}, {"completions: 3", "completions: three"}, {"values: [2]", "values: 2"},
		{"mountPath:", "mountpath:"}, {"kind: Job", "kind: job"}, {"memory: 501Mi", "memory: 501MiB"}, {"emptyDir: {}", "emptyDir: []"},
	} {
		broken := strings.Replace(string(text), wrong[0], wrong[1], 1)
		if broken == string(text) {
			t.Errorf("%q is not in the manifest", wrong[0])
		}
		refused := false
		for _, document := range documents(t, []byte(broken)) {
			refused = refused || schema.Validate(document) != nil
		}
		if !refused {
			t.Errorf("%q passes", wrong[1])
		}
	}
}

// The design that workers find is the one that was given, whatever is in it.
func TestDesignIsWhole(t *testing.T) {
	j := job()
	j.Design = []byte("# \t'quotes' \"double\" $HOME ${x} |\n  a: b: c\n---\n\ttab \n\n")
	data := documents(t, manifest(t, j))[0].(map[string]any)["data"].(map[string]any)
	if got := data["design.yaml"]; got != string(j.Design) {
		t.Errorf("%q", got)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		change func(*kubernetes.Job)
		field  string // "" = nothing is wrong
		hint   string
	}{
		{func(*kubernetes.Job) {}, "", ""},
		{func(j *kubernetes.Job) { j.Image = "econ-mcp" }, "", ""},
		{func(j *kubernetes.Job) { j.Image = "ghcr.io/a/b__c@sha256:" + strings.Repeat("0a", 32) }, "", ""},
		{func(j *kubernetes.Job) { j.Image = "econ mcp" }, "--image", "registry/name:tag"},
		{func(j *kubernetes.Job) { j.Image = "registry.example.org/Lab/econ-mcp" }, "--image", "lower-case"},
		{func(j *kubernetes.Job) { j.Image = "econ-mcp:" }, "--image", "registry/name:tag"},
		{func(j *kubernetes.Job) { j.Image = "econ-mcp\nx: y" }, "--image", "registry/name:tag"},
		{func(j *kubernetes.Job) { j.Claim = "" }, "--volume", "claim"},
		{func(j *kubernetes.Job) { j.Claim = "My claim" }, "--volume", "kubectl get pvc"},
		{func(j *kubernetes.Job) { j.Design = make([]byte, 1<<20) }, "design", "--runs"},
	} {
		j := job()
		tt.change(&j)
		err := j.Check()
		if tt.field == "" {
			if err != nil {
				t.Errorf("%s, %s: %v", j.Image, j.Claim, err)
			}
			continue
		}
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Field != tt.field || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s, %s: %v", j.Image, j.Claim, err)
		}
	}
}

// A name has room for the number of a pod in a label of DNS.
func TestName(t *testing.T) {
	const hash = "0123abcdef"
	for folder, want := range map[string]string{
		"/data/what-matters": "sweep-what-matters-0123abcd", "/data/What Matters!": "sweep-what-matters-0123abcd", "/data/税": "sweep-0123abcd",
		"/": "sweep-0123abcd", "/data/" + strings.Repeat("a", 90): "sweep-" + strings.Repeat("a", 42) + "-0123abcd",
	} {
		if got := kubernetes.Name(folder, hash); got != want || len(got+"-99999") > 63 {
			t.Errorf("Name(%q) = %q", folder, got)
		}
	}
}
