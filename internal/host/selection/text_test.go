package selection

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"read_text_file", "read text fil"},
		{"getFileInfo", "get fil info"},
		{"parseJSONFile", "pars json fil"},
		{"HTTP2Server", "http 2 server"},
		{"the PRs of octo", "pull request octo"},
		{"GitHub", "github"},
		{"读取文件", "read fil"},
		{"列出目录下的所有文件", "list directory all fil"},
		{"把文件压缩成量子包", "fil compress 量子包"}, // what the lexicon does not have stays together
		{"please show me the files", "show fil"},
		{"把数据一起调出来", "data get"}, // not 一起调, change several, and 出来
		{"性别的比例", "gender shar"}, // 别 within a word denies nothing
		{"先别删文件，只列出来", "list"},
		{"不生成配置也不运行，只解读", "analyz"},
		{"把不要的文件移走", "fil mov"},
		{"captured experiments", "list research experiment"}, // in just that form
		{"capture experiments", "captur experiment"},
		{"check it, don't run or save anything", "check"},
		{"stop it, I'll carry on later", "stop"},
		{"why don't you merge it", "merg"},
		{"I do not need it. Delete it", "delet"},
		{"which files did it touch", "list fil touch"},
		{"what's in the folder", "content directory"},
		{"Ana's folder", "ana directory"},
	} {
		var got []string
		for _, w := range theLexicon().words(tt.text) {
			got = append(got, w.stem)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q is read as %q, want %q", tt.text, strings.Join(got, " "), tt.want)
		}
	}
}

// TestNamesAmongChinese: a Latin word in a Chinese text is a name, where it is not a word of
// the lexicon.
func TestNamesAmongChinese(t *testing.T) {
	for text, want := range map[string]bool{"暂停 baseline": true, "pause baseline": false, "pause the Baseline": true} {
		words := theLexicon().words(text)
		if got := words[len(words)-1].proper; got != want {
			t.Errorf("the last word of %q is a name: %t, want %t", text, got, want)
		}
	}
}

func TestStemMakesFormsMeet(t *testing.T) {
	for _, forms := range [][]string{
		{"file", "files"}, {"directory", "directories"}, {"merge", "merging", "merged", "merges"},
		{"create", "created", "creation", "creating"}, {"run", "running"}, {"modify", "modified"},
		{"simulate", "simulation", "simulated"}, {"recursive", "recursively"}, {"search", "searches"},
		{"summarize", "summarise", "summarising", "summarization", "summarisation"}, {"analyze", "analyse", "analysed"},
		{"labor", "labour"}, {"label", "labelled", "labels", "labelling", "labeled"}, {"cancel", "cancelled"}, {"behavior", "behaviour"},
	} {
		for _, form := range forms[1:] {
			if stem(form) != stem(forms[0]) {
				t.Errorf("%s is %q and %s is %q", forms[0], stem(forms[0]), form, stem(form))
			}
		}
	}
	for _, pair := range [][2]string{{"status", "state"}, {"read", "red"}, {"analysis", "analyst"}, {"list", "listen"}, {"setting", "set"}, {"findings", "find"}, {"analysis", "analyze"}, {"hour", "hor"}} {
		if stem(pair[0]) == stem(pair[1]) {
			t.Errorf("%s and %s are both %q", pair[0], pair[1], stem(pair[0]))
		}
	}
}

// TestLexiconIsSound: an alias that stands twice, or that is a form of another entry's
// word, would silently change what that one means.
func TestLexiconIsSound(t *testing.T) {
	l := theLexicon()
	heads, seen := make(map[string]bool), make(map[string]string)
	for _, target := range l.alias {
		for _, s := range target {
			heads[s] = true
		}
	}
	for line := range strings.Lines(lexiconText + lexiconChinese) {
		line = strings.TrimSpace(line)
		words, aliases, isAlias := strings.Cut(line, ":")
		if line == "" || strings.ContainsRune("#~-!^[", rune(line[0])) {
			continue
		}
		if !isAlias || strings.TrimSpace(aliases) == "" {
			t.Errorf("%q is no line of the lexicon", line)
			continue
		}
		for alias := range strings.SplitSeq(aliases, ",") {
			key := strings.Join(stems(strings.ToLower(alias)), " ")
			if before, twice := seen[key]; twice {
				t.Errorf("%q is an alias of %q and of %q", strings.TrimSpace(alias), before, words)
			}
			seen[key] = words
			if isChinese(key) && (l.empty[key] || l.denies[key]) {
				t.Errorf("%q is an alias of %q and says nothing", key, words)
			}
			if len(strings.Fields(key)) > longestPhrase {
				t.Errorf("%q has more words than a phrase may", alias)
			}
			if !isChinese(key) && heads[key] && !slices.Contains(stems(words), key) {
				t.Errorf("%q is an alias of %q, but others are read as it", strings.TrimSpace(alias), words)
			}
		}
	}
}
