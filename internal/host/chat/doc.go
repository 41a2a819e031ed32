// Package chat is the loop of question, calls and answer: it finds the tool that a call
// means, carries it out, and lets a model, or a server's own plan, go on until the question
// is answered.
//
//	router := chat.NewRouter(hub, cache, native, log) // which tool is meant, and is it allowed
//	found, err := router.Discover(ctx, "", false)
//	s := chat.Session{Router: router, Provider: client, Agent: agent}
//	outcome, err := s.Answer(ctx, "How will AI agents reshape the labor market?")
//
// A session without a provider needs neither a key nor a network: a server that offers
// get_experiment_workflow says which of its tools answer the question, and they are called
// as it says. What happens is told as it happens in events, which also are the lines of a
// [Transcript]; [Session.Replay] makes the calls of one again, without a model.
package chat
