// Package host is the other side of the protocol: it connects to MCP servers, discovers
// and keeps their tools, and carries out calls. It knows MCP and nothing of any server's
// subject, our own included.
//
//	config, _ := host.ReadConfig("mcp.json")       // which servers there are
//	hub := host.NewHub(config.Servers, settings)   // connections, made when they are needed
//	cache, _ := host.OpenCache("host.db")          // what is remembered between two runs
//	tools, failures, _ := host.NewDiscovery(hub, cache).Tools(ctx, "", false)
//	result, err := hub.Call(ctx, host.Call{Server: "files", Tool: "read_file", Arguments: raw})
//
// Every error is an [Error] that names the layer at which a call failed. Sub-packages build
// on this one: selection ranks tools and writes prompts, model speaks to language models,
// chat is the loop of question, calls and answer.
package host
