// Package selection finds the tool for a request and tells a model which tools there are.
//
//	r := selection.NewRanker(tools)
//	ranked := r.Rank("列出 /data 下的文件")              // up to five, best first; empty = no tool fits
//	choice, err := r.Select(ctx, request, model)        // a model decides, scoring where there is none or it fails
//	text := selection.Prompt(tools, selection.PromptOptions{Question: request, Budget: 4000})
//
// Scoring knows words, not meanings, and is blind to whose tools they are: BM25 over the words of
// names, titles, descriptions, argument names and choices. words.txt has what is known of words:
// synonyms and a glossary of general language. What a request quotes, such as paths and numbers,
// counts where it can fill an argument that has to be given. It is fast, needs no model and says
// why. [Evaluate] measures it on labelled requests.
package selection
