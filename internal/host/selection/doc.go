// Package selection finds the tool for a request and tells a model which tools there are.
//
//	r := selection.NewRanker(tools, experience)
//	ranked := r.Rank("列出 /data 下的文件")              // best first; empty = no tool fits
//	choice, ok, err := r.Select(ctx, request, model)    // a model decides, the words where it fails
//	text := selection.Prompt(tools, selection.PromptOptions{Question: request, Budget: 4000})
//
// The ranker knows words, not meanings: it splits names and descriptions, finds forms,
// near-synonyms and translations by a small lexicon (lexicon.txt, lexicon_zh.txt), weighs
// rare words more than common ones, and looks whether what the request quotes, such as paths
// and numbers, could be arguments. Beside the words that servers use stand those that people
// use: requests whose tool is known (examples.jsonl, and what a model has chosen before).
// It is fast, needs no model and can say why. [Evaluate] measures it on labelled requests.
package selection
