// Schema of what a manifest of Kubernetes may say, from the Go types of its API.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type schema = map[string]any

var defs = schema{}

func of(t reflect.Type) schema {
	switch t {
	case reflect.TypeFor[resource.Quantity]():
		return schema{"type": "string", "pattern": `^[0-9]+(\.[0-9]+)?(m|[kMGTPE]i?|Ki)?$`}
	case reflect.TypeFor[meta.Time](), reflect.TypeFor[meta.MicroTime]():
		return schema{"type": "string", "format": "date-time"}
	case reflect.TypeFor[intstr.IntOrString]():
		return schema{"type": []string{"string", "integer"}}
	case reflect.TypeFor[meta.FieldsV1]():
		return schema{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return of(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return schema{"type": "string"}
		}
		return schema{"type": "array", "items": of(t.Elem())}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": of(t.Elem())}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Int32, reflect.Int64, reflect.Int:
		return schema{"type": "integer"}
	case reflect.Struct:
		name := strings.ReplaceAll(t.PkgPath()[strings.Index(t.PkgPath(), "/")+1:]+"/"+t.Name(), "/", ".")
		if _, ok := defs[name]; !ok {
			defs[name] = nil
			props, required := schema{}, []string{}
			fields(t, props, &required)
			s := schema{"type": "object", "properties": props, "additionalProperties": false}
			if len(required) > 0 {
				slices.Sort(required)
				s["required"] = required
			}
			defs[name] = s
		}
		return schema{"$ref": "#/$defs/" + name}
	}
	panic(t.String())
}

func fields(t reflect.Type, props schema, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			fields(f.Type, props, required)
			continue
		}
		if name == "-" {
			continue
		}
		props[name] = of(f.Type)
		if !strings.Contains(options, "omitempty") && f.Type.Kind() != reflect.Pointer {
			*required = append(*required, name)
		}
	}
}

func main() {
	kind := func(t reflect.Type, version, kind string) schema {
		return schema{"allOf": []any{of(t), schema{"required": []string{"apiVersion", "kind", "metadata"}, "properties": schema{
			"apiVersion": schema{"const": version}, "kind": schema{"const": kind},
		}}}}
	}
	out := schema{
		"$schema":  "https://json-schema.org/draft/2020-12/schema",
		"$comment": "From the Go types of k8s.io/api v0.29.15 (Kubernetes 1.29): fields and their types, nothing else allowed. See README.md.",
		"oneOf": []any{
			kind(reflect.TypeFor[batch.Job](), "batch/v1", "Job"), kind(reflect.TypeFor[core.ConfigMap](), "v1", "ConfigMap"),
		},
		"$defs": defs,
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	e.Encode(out)
}
