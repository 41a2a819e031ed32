package mcpserver_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/e2e"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools"
)

// TestConformance runs the official suite against a server with the tools, resources and
// prompts that its scenarios call. What is expected to fail stands in the file, with the
// reason.
func TestConformance(t *testing.T) {
	server, err := mcpserver.New(mcpserver.Config{
		Tools:     suiteTools(),
		Resources: suiteResources{},
		Templates: []mcpserver.Template{{
			URI: "test://template/{id}/data", Name: "template", Title: "Template", Description: "A resource for each id.",
			MIMEType: "application/json",
		}},
		Prompts: suitePrompts(),
		Version: "test",
		Logger:  slog.New(slog.DiscardHandler),
	})
	if err == nil {
		err = server.Offer(suiteNatives(), suiteNativePrompts())
	}
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}))
	t.Cleanup(func() { // streams end with their clients
		web.CloseClientConnections()
		web.Close()
	})
	e2e.Conformance(t, web.URL+"/mcp", "testdata/conformance.yml")
}

// A dot, and a moment of silence.
const (
	suiteImage = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	suiteSound = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

type noArgs struct{}

type said struct {
	Text string `json:"text"`
}

// suiteTools are the tools of the suite that are like those of the catalogue.
func suiteTools() []tools.Tool {
	spec := func(name, description string) tools.Spec {
		return tools.Spec{Name: name, Title: name, Description: description, Hints: tools.Reads}
	}
	return []tools.Tool{
		tools.New(spec("test_simple_text", "Says something."), func(context.Context, *tools.Call, noArgs) (said, error) {
			return said{"This is a simple text response for testing."}, nil
		}),
		tools.New(spec("test_error_handling", "Fails."), func(context.Context, *tools.Call, noArgs) (said, error) {
			return said{}, errors.New("this tool intentionally returns an error for testing")
		}),
		tools.New(spec("test_tool_with_progress", "Reports progress."), func(_ context.Context, c *tools.Call, _ noArgs) (said, error) {
			for _, done := range []float64{0, 50, 100} {
				c.Progress(done, 100, "")
			}
			return said{"done"}, nil
		}),
		// The suite would like the stream of the call to be cut here, and taken up again.
		// Ours answers in one body, which is as good.
		tools.New(spec("test_reconnection", "Answers."), func(context.Context, *tools.Call, noArgs) (said, error) {
			return said{"There was nothing to wait for."}, nil
		}),
	}
}

type handler = func(context.Context, *mcpserver.Dialogue) (*mcp.CallToolResult, error)

// suiteNatives are the tools of the suite that need more of the protocol.
func suiteNatives() []mcpserver.Native {
	text := func(uri, kind, text string) mcp.EmbeddedResource {
		return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: kind, Text: text})
	}
	return []mcpserver.Native{
		native("test_image_content", "", returns(mcp.NewImageContent(suiteImage, "image/png"))),
		native("test_audio_content", "", returns(mcp.NewAudioContent(suiteSound, "audio/wav"))),
		native("test_embedded_resource", "", returns(text("test://embedded-resource", "text/plain", "This is an embedded resource content."))),
		native("test_multiple_content_types", "", returns(
			mcp.NewTextContent("Multiple content types test:"),
			mcp.NewImageContent(suiteImage, "image/png"),
			text("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
		)),
		native("json_schema_2020_12_tool", suiteSchema, returns(mcp.NewTextContent("fine"))),
		native("test_headers", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]}`,
			returns(mcp.NewTextContent("fine"))),
		native("test_tool_with_logging", "", logs),
		native("test_logging_tool", "", logs),

		// What is asked in the middle of a call, in the revisions with sessions.
		native("test_sampling", `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
			asks("LLM response: ", func(d *mcpserver.Dialogue) mcp.InputRequest {
				return sample(argument(d, "prompt"))
			})),
		native("test_elicitation", `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`,
			asks("User response: ", func(d *mcpserver.Dialogue) mcp.InputRequest {
				return elicit(argument(d, "message"), `{"username":{"type":"string","description":"User's response"},"email":{"type":"string",`+
					`"description":"User's email address"}}`, "username", "email")
			})),
		native("test_elicitation_sep1034_defaults", "", asks("Elicitation completed: ", func(*mcpserver.Dialogue) mcp.InputRequest {
			return elicit("Please correct what is not right.", `{
				"name": {"type": "string", "default": "John Doe"},
				"age": {"type": "integer", "default": 30},
				"score": {"type": "number", "default": 95.5},
				"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
				"verified": {"type": "boolean", "default": true}
			}`)
		})),
		native("test_elicitation_sep1330_enums", "", asks("Elicitation completed: ", func(*mcpserver.Dialogue) mcp.InputRequest {
			return elicit("Please choose.", `{
				"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
				"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"}, {"const": "value2",
					"title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
				"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]},
				"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
				"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First Choice"}, {"const": "value2",
					"title": "Second Choice"}, {"const": "value3", "title": "Third Choice"}]}}
			}`)
		})),

		// What ends a call with questions, in the revision without.
		native("test_missing_capability", "", asks("", func(*mcpserver.Dialogue) mcp.InputRequest { return sample("Hello?") })),
		native("test_streaming_elicitation", "", asks("", func(*mcpserver.Dialogue) mcp.InputRequest { return whatName() })),
		native("test_input_required_result_elicitation", "", rounds(round{"user_name": whatName()})),
		native("test_input_required_result_sampling", "", rounds(round{"capital_question": sample("What is the capital of France?")})),
		native("test_input_required_result_list_roots", "", rounds(round{"client_roots": mcp.NewRootsInputRequest()})),
		native("test_input_required_result_request_state", "", rounds(round{}, round{"confirm": confirm()})),
		native("test_input_required_result_tampered_state", "", rounds(round{}, round{"confirm": confirm()})),
		native("test_input_required_result_multiple_inputs", "", rounds(round{}, round{
			"user_name": whatName(), "greeting": sample("Generate a greeting"), "client_roots": mcp.NewRootsInputRequest(),
		})),
		native("test_input_required_result_multi_round", "", rounds(round{},
			round{"step1": whatName()},
			round{"step2": elicit("What is your favorite color?", `{"color":{"type":"string"}}`, "color")})),
		native("test_input_required_result_capabilities", "", func(ctx context.Context, d *mcpserver.Dialogue) (*mcp.CallToolResult, error) {
			possible := round{}
			if d.Capabilities.Elicitation != nil {
				possible["user_name"] = whatName()
			}
			if d.Capabilities.Sampling != nil {
				possible["greeting"] = sample("Generate a greeting")
			}
			return rounds(possible)(ctx, d)
		}),
	}
}

// suiteSchema is a schema with most of what JSON Schema can say.
const suiteSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

func native(name, schema string, handle handler) mcpserver.Native {
	if schema == "" {
		schema = `{"type":"object","properties":{}}`
	}
	return mcpserver.Native{Tool: mcp.NewToolWithRawSchema(name, "For the scenario that calls it.", json.RawMessage(schema)), Handle: handle}
}

func returns(content ...mcp.Content) handler {
	return func(context.Context, *mcpserver.Dialogue) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}

// logs is a tool that tells a client that listens what it does.
func logs(_ context.Context, d *mcpserver.Dialogue) (*mcp.CallToolResult, error) {
	for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		d.Log(mcp.LoggingLevelInfo, message)
	}
	return mcp.NewToolResultText("Tool with logging executed successfully"), nil
}

// asks is a tool that asks one thing, and says what the client answered.
func asks(begin string, question func(*mcpserver.Dialogue) mcp.InputRequest) handler {
	return func(ctx context.Context, d *mcpserver.Dialogue) (*mcp.CallToolResult, error) {
		answers, err := d.Ask(ctx, round{"question": question(d)}, "")
		if err != nil {
			return nil, err
		}
		answer := answers["question"]
		switch {
		case answer.Sampling != nil:
			return mcp.NewToolResultText(begin + mcp.GetTextFromContent(answer.Sampling.Content)), nil
		case answer.Elicitation != nil:
			return mcp.NewToolResultText(fmt.Sprintf("%saction=%s, content=%v", begin, answer.Elicitation.Action, answer.Elicitation.Content)), nil
		}
		return nil, errors.New("no answer")
	}
}

// round is what is asked at once.
type round = mcp.InputRequests

// rounds is a tool that asks round after round. One that begins with an empty round
// remembers in its state which is under way; another has no state.
func rounds(all ...round) handler {
	stateful := len(all[0]) == 0
	return func(ctx context.Context, d *mcpserver.Dialogue) (*mcp.CallToolResult, error) {
		at := 0
		if stateful {
			at = 1
		}
		if d.State != "" {
			if _, err := fmt.Sscanf(d.State, "round %d", &at); err != nil {
				return nil, err
			}
		}
		state := ""
		var answers mcp.InputResponses
		for ; at < len(all); at++ {
			if stateful {
				state = fmt.Sprintf("round %d", at)
			}
			var err error
			if answers, err = d.Ask(ctx, all[at], state); err != nil {
				return nil, err
			}
		}
		told, err := json.Marshal(answers)
		return mcp.NewToolResultText("state-ok, and these are the answers: " + string(told)), err
	}
}

func sample(prompt string) mcp.InputRequest {
	return mcp.NewSamplingInputRequest(mcp.CreateMessageParams{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(prompt)}},
		MaxTokens: 100,
	})
}

func elicit(message, properties string, required ...string) mcp.InputRequest {
	schema := map[string]any{"type": "object", "properties": json.RawMessage(properties)}
	if len(required) > 0 {
		schema["required"] = required
	}
	return mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: message, RequestedSchema: schema})
}

func whatName() mcp.InputRequest {
	return elicit("What is your name?", `{"name":{"type":"string"}}`, "name")
}

func confirm() mcp.InputRequest {
	return elicit("Please confirm", `{"ok":{"type":"boolean"}}`, "ok")
}

func argument(d *mcpserver.Dialogue, name string) string {
	var arguments map[string]string
	_ = json.Unmarshal(d.Arguments, &arguments) // what is no string is asked as nothing
	return arguments[name]
}

func suitePrompts() []mcpserver.Prompt {
	return []mcpserver.Prompt{
		{
			Name: "test_simple_prompt", Title: "Simple", Description: "Has no blanks.",
			Text: func(map[string]string) string { return "This is a simple prompt for testing." },
		},
		{
			Name: "test_prompt_with_arguments", Title: "Arguments", Description: "Has two blanks.",
			Arguments: []mcpserver.Argument{
				{Name: "arg1", Description: "the first", Required: true},
				{Name: "arg2", Description: "the second", Required: true},
			},
			Text: func(a map[string]string) string {
				return fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])
			},
			Complete: func(context.Context, string, string) ([]string, error) {
				return []string{"testing", "tested"}, nil
			},
		},
	}
}

func suiteNativePrompts() []mcpserver.NativePrompt {
	messages := func(content ...mcp.Content) *mcp.GetPromptResult {
		result := &mcp.GetPromptResult{}
		for _, c := range content {
			result.Messages = append(result.Messages, mcp.NewPromptMessage(mcp.RoleUser, c))
		}
		return result
	}
	return []mcpserver.NativePrompt{
		{
			Prompt: mcp.NewPrompt("test_prompt_with_embedded_resource", mcp.WithPromptDescription("Holds a resource."),
				mcp.WithArgument("resourceUri", mcp.ArgumentDescription("which"), mcp.RequiredArgument())),
			Handle: func(_ context.Context, d *mcpserver.Dialogue) (*mcp.GetPromptResult, error) {
				return messages(
					mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: argument(d, "resourceUri"), MIMEType: "text/plain",
						Text: "Embedded resource content for testing."}),
					mcp.NewTextContent("Please process the embedded resource above."),
				), nil
			},
		},
		{
			Prompt: mcp.NewPrompt("test_prompt_with_image", mcp.WithPromptDescription("Holds an image.")),
			Handle: func(context.Context, *mcpserver.Dialogue) (*mcp.GetPromptResult, error) {
				return messages(mcp.NewImageContent(suiteImage, "image/png"), mcp.NewTextContent("Please analyze the image above.")), nil
			},
		},
		{
			Prompt: mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("Asks first.")),
			Handle: func(ctx context.Context, d *mcpserver.Dialogue) (*mcp.GetPromptResult, error) {
				answers, err := d.Ask(ctx, round{"user_context": elicit("What context should the prompt use?", `{"context":{"type":"string"}}`,
					"context")}, "")
				if err != nil {
					return nil, err
				}
				return messages(mcp.NewTextContent(fmt.Sprintf("Mind this: %v", answers["user_context"].Elicitation.Content))), nil
			},
		},
	}
}

// suiteResources are the resources of the suite.
type suiteResources struct{}

// List implements [mcpserver.Resources].
func (suiteResources) List(context.Context, string) ([]mcpserver.Resource, string, error) {
	return []mcpserver.Resource{
		{URI: "test://static-text", Name: "static-text", Description: "A text.", MIMEType: "text/plain"},
		{URI: "test://static-binary", Name: "static-binary", Description: "An image.", MIMEType: "image/png"},
		{URI: "test://watched-resource", Name: "watched-resource", Description: "A text.", MIMEType: "text/plain"},
	}, "", nil
}

// Possible implements [mcpserver.Resources].
func (suiteResources) Possible(uri string) bool { return strings.HasPrefix(uri, "test://") }

// Read implements [mcpserver.Resources].
func (suiteResources) Read(_ context.Context, _ *tools.Call, uri string) (mcpserver.Content, error) {
	switch uri {
	case "test://static-text", "test://watched-resource":
		return mcpserver.Content{MIMEType: "text/plain", Text: "This is the content of the static text resource."}, nil
	case "test://static-binary":
		image, err := base64.StdEncoding.DecodeString(suiteImage)
		return mcpserver.Content{MIMEType: "image/png", Blob: image}, err
	}
	if id, ok := strings.CutPrefix(uri, "test://template/"); ok {
		id, _, _ = strings.Cut(id, "/")
		return mcpserver.Content{MIMEType: "application/json",
			Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)}, nil
	}
	return mcpserver.Content{}, fault.New(fault.NotFound, uri, "there is no %s", uri)
}
