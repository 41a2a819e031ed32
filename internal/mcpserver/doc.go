// Package mcpserver serves a list of tools over the Model Context Protocol: on stdin
// and stdout ([Server.ServeStdio]) and on HTTP ([Server.Listen]), in the protocol
// revisions with sessions (2024-11-05, 2025-06-18, 2025-11-25) and in the one without
// (2026-07-28). 2025-03-26 is not served: it wants arrays of messages.
// It is the only package that knows the SDK, mark3labs/mcp-go.
//
// What comes in is a [message] from a [session]; it becomes an [exchange], whose answer
// goes to an [outlet] of the transport: notifications that the request causes, in order,
// then one reply. The SDK answers what any server answers alike (initialize, discovery,
// lists, prompts, completion, log levels). Three things are answered here:
//
//   - tools/call, because the SDK delivers notifications over a channel beside the reply,
//     so that progress may come late or never, and because it decodes arguments into
//     floats, which loses seeds above 2^53;
//   - resources/list and resources/read, because the list of experiments grows all the
//     time and the SDK wants to be told of each resource;
//   - subscriptions/listen and resources/subscribe, because the SDK's sessions over HTTP do
//     not keep the resources that a client asks about, and nowhere bound them.
//
// Tools answer with JSON and images, and may ask the language model of a client that offers
// it ([tools.Call].Sample; ask.go, sample.go). What the protocol knows beyond that (sound,
// questions to the user) is in the tests of this package, for the official conformance suite:
// native_internal_test.go and ask_internal_test.go.
//
// The transports are ours as well: the SDK's one for stdio drops calls in flight at the
// end of the input, and the one for HTTP ties notifications to its own sessions.
package mcpserver
