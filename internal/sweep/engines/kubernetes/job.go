// Package kubernetes writes the manifest of a sweep whose shards are the completions of an Indexed Job. It knows shards, and no
// economics.
package kubernetes

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
)

// Job is an Indexed Job: completion i of Tasks, counted from 0, simulates shard i + 1.
type Job struct {
	Name   string // of the Job and its ConfigMap: see [Name]
	Design []byte // text of the design, with its inquiry, or of economies to measure
	File   string // its name
	Tasks  int
	CPUs   int   // of a task
	Memory int64 // of a task, in bytes
	Image  string
	Claim  string // persistent volume claim, which all tasks write to
}

const (
	designPath  = "/design"
	claimPath   = "/sweep"
	cachePath   = "/cache"
	user        = 65532 // nobody in particular, as images without root have it
	backOff     = 6     // times that a completion may fail, as Kubernetes has it for whole Jobs
	gracePeriod = 60    // seconds from TERM to KILL: a worker ends within a month of its economies
	exitUsage   = 2     // of econ-mcp: a wrong call, or runs that another program made, which another pod would not mend
	oneMebi     = 1 << 20
)

// MostTasks is how many pods of an Indexed Job the API lets run at the same time (maxParallelismForIndexedJob in
// kubernetes/pkg/apis/batch/validation).
const MostTasks = 100_000

// MostDesign is how long a design may be, in bytes: a ConfigMap holds 1 MiB, names and keys included.
const MostDesign = oneMebi - 4096

type (
	meta struct {
		Name   string            `yaml:"name,omitempty"`
		Labels map[string]string `yaml:"labels,omitempty"`
	}
	configMap struct {
		APIVersion string            `yaml:"apiVersion"`
		Kind       string            `yaml:"kind"`
		Metadata   meta              `yaml:"metadata"`
		Immutable  bool              `yaml:"immutable"`
		Data       map[string]string `yaml:"data"`
	}
	job struct {
		APIVersion string  `yaml:"apiVersion"`
		Kind       string  `yaml:"kind"`
		Metadata   meta    `yaml:"metadata"`
		Spec       jobSpec `yaml:"spec"`
	}
	jobSpec struct {
		CompletionMode       string        `yaml:"completionMode"`
		Completions          int           `yaml:"completions"`
		Parallelism          int           `yaml:"parallelism"`
		BackoffLimitPerIndex int           `yaml:"backoffLimitPerIndex"`
		PodReplacementPolicy string        `yaml:"podReplacementPolicy"`
		PodFailurePolicy     failurePolicy `yaml:"podFailurePolicy"`
		Template             podTemplate   `yaml:"template"`
	}
	failurePolicy struct {
		Rules []failureRule `yaml:"rules"`
	}
	failureRule struct {
		Action          string         `yaml:"action"`
		OnPodConditions []podCondition `yaml:"onPodConditions,omitempty"`
		OnExitCodes     *exitCodes     `yaml:"onExitCodes,omitempty"`
	}
	podCondition struct {
		Type   string `yaml:"type"`
		Status string `yaml:"status"`
	}
	exitCodes struct {
		ContainerName string `yaml:"containerName"`
		Operator      string `yaml:"operator"`
		Values        []int  `yaml:"values,flow"`
	}
	podTemplate struct {
		Metadata meta    `yaml:"metadata"`
		Spec     podSpec `yaml:"spec"`
	}
	podSpec struct {
		RestartPolicy                 string      `yaml:"restartPolicy"`
		TerminationGracePeriodSeconds int         `yaml:"terminationGracePeriodSeconds"`
		AutomountServiceAccountToken  bool        `yaml:"automountServiceAccountToken"`
		SecurityContext               podSecurity `yaml:"securityContext"`
		Containers                    []container `yaml:"containers"`
		Volumes                       []volume    `yaml:"volumes"`
	}
	podSecurity struct {
		RunAsNonRoot        bool    `yaml:"runAsNonRoot"`
		RunAsUser           int     `yaml:"runAsUser"`
		RunAsGroup          int     `yaml:"runAsGroup"`
		FSGroup             int     `yaml:"fsGroup"`
		FSGroupChangePolicy string  `yaml:"fsGroupChangePolicy"`
		SeccompProfile      profile `yaml:"seccompProfile"`
	}
	profile struct {
		Type string `yaml:"type"`
	}
	container struct {
		Name            string            `yaml:"name"`
		Image           string            `yaml:"image"`
		Args            []string          `yaml:"args"`
		Resources       resources         `yaml:"resources"`
		SecurityContext containerSecurity `yaml:"securityContext"`
		VolumeMounts    []mount           `yaml:"volumeMounts"`
	}
	resources struct {
		Requests map[string]string `yaml:"requests"`
		Limits   map[string]string `yaml:"limits"`
	}
	containerSecurity struct {
		AllowPrivilegeEscalation bool         `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRootFilesystem   bool         `yaml:"readOnlyRootFilesystem"`
		Capabilities             capabilities `yaml:"capabilities"`
	}
	capabilities struct {
		Drop []string `yaml:"drop,flow"`
	}
	mount struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly,omitempty"`
	}
	volume struct {
		Name                  string     `yaml:"name"`
		ConfigMap             *meta      `yaml:"configMap,omitempty"`
		PersistentVolumeClaim *claimName `yaml:"persistentVolumeClaim,omitempty"`
		EmptyDir              *struct{}  `yaml:"emptyDir,omitempty"`
	}
	claimName struct {
		ClaimName string `yaml:"claimName"`
	}
)

// Check refuses what the cluster would.
func (j Job) Check() error {
	switch {
	case j.Claim == "":
		return fault.Missing("--volume", "name a persistent volume claim that all tasks can write to (ReadWriteMany, or one node)")
	case !subdomain.MatchString(j.Claim) || len(j.Claim) > 253:
		return fault.New(fault.WrongType, "--volume", "%.80q is no name of a claim", j.Claim).
			WithHint("lower-case letters, digits, - and ., as kubectl get pvc prints it")
	case !reference.MatchString(j.Image):
		return fault.New(fault.WrongType, "--image", "%.120q is no reference of an image", j.Image).
			WithHint("write it as registry/name:tag or registry/name@sha256:…, with a lower-case name")
	case len(j.Design) > MostDesign:
		return fault.New(fault.LimitExceeded, "design", "the design has %d bytes, and a ConfigMap takes %d", len(j.Design), MostDesign).
			WithHint("divide its rows into several designs that share --runs, or copy the folder to the volume and run econ-mcp sweep work there")
	}
	return nil
}

// Manifest is the ConfigMap of the design and the Job, as YAML.
func (j Job) Manifest() ([]byte, error) {
	labels := map[string]string{
		"app.kubernetes.io/name": "econ-mcp", "app.kubernetes.io/component": "sweep-worker", "app.kubernetes.io/instance": j.Name,
	}
	amount := map[string]string{"cpu": strconv.Itoa(j.CPUs), "memory": fmt.Sprintf("%dMi", (j.Memory+oneMebi-1)/oneMebi)}
	config := configMap{"v1", "ConfigMap", meta{j.Name, labels}, true, map[string]string{j.File: string(j.Design)}}
	work := job{"batch/v1", "Job", meta{j.Name, labels}, jobSpec{
		CompletionMode: "Indexed", Completions: j.Tasks, Parallelism: j.Tasks,
		BackoffLimitPerIndex: backOff, PodReplacementPolicy: "Failed",
		PodFailurePolicy: failurePolicy{[]failureRule{
			{Action: "Ignore", OnPodConditions: []podCondition{{"DisruptionTarget", "True"}}},
			{Action: "FailIndex", OnExitCodes: &exitCodes{"worker", "In", []int{exitUsage}}},
		}},
		Template: podTemplate{meta{Labels: labels}, podSpec{
			RestartPolicy: "Never", TerminationGracePeriodSeconds: gracePeriod,
			SecurityContext: podSecurity{true, user, user, user, "OnRootMismatch", profile{"RuntimeDefault"}},
			Containers: []container{{
				Name: "worker", Image: j.Image,
				Args: []string{
					"sweep", "work", designPath, "--runs", path.Join(claimPath, j.Name, "runs"),
					"--index", fmt.Sprintf("$(JOB_COMPLETION_INDEX)/%d", j.Tasks),
					"--threads", strconv.Itoa(j.CPUs), "--cache", cachePath, "--wait", "10m",
				},
				Resources:       resources{amount, amount},
				SecurityContext: containerSecurity{false, true, capabilities{[]string{"ALL"}}},
				VolumeMounts: []mount{
					{Name: "design", MountPath: designPath, ReadOnly: true},
					{Name: "sweep", MountPath: claimPath},
					{Name: "cache", MountPath: cachePath},
				},
			}},
			Volumes: []volume{
				{Name: "design", ConfigMap: &meta{Name: j.Name}},
				{Name: "sweep", PersistentVolumeClaim: &claimName{j.Claim}},
				{Name: "cache", EmptyDir: &struct{}{}},
			},
		}},
	}}
	var b bytes.Buffer
	out := yaml.NewEncoder(&b)
	out.SetIndent(2)
	for _, document := range []any{config, work} {
		if err := out.Encode(document); err != nil {
			return nil, err
		}
	}
	err := out.Close()
	return b.Bytes(), err
}

// Name is that of a sweep's Job: of the name of its folder and its design, a label of DNS with room for the number of a pod.
func Name(folder, hash string) string {
	name := strings.ToLower(filepath.Base(folder))
	name = strings.Trim(notLabel.ReplaceAllString(name, "-"), "-")
	name = strings.TrimRight(name[:min(len(name), mostName)], "-")
	if name != "" {
		name += "-"
	}
	return "sweep-" + name + hash[:8]
}

// mostName leaves 63 characters of a label room for sweep-, the hash and the number of a pod.
const mostName = 63 - len("sweep-") - len("-01234567") - len("-99999")

var (
	notLabel  = regexp.MustCompile(`[^a-z0-9]+`)
	subdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`) // RFC 1123, as Kubernetes has it

	// reference is the grammar of the distribution project (docs/content/reference: reference.Grammar).
	reference = regexp.MustCompile(`^(?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)` +
		`(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?/)?` +
		`[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*` +
		`(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$`)
)
