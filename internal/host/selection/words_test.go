package selection

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplit(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"read_text_file", "read text file"},
		{"getFileInfo", "get file info"},
		{"parseJSONFile", "pars json file"},
		{"HTTP2Server", "http 2 server"},
		{"the PRs of octo", "the prs of octo"},
		{"running directories", "run directori"},
		{"don't run it", "don't run it"},
		{"Ana's folder", "ana s folder"},
		{"读取文件", "读取 文件"},
		{"性别的比例", "性别 的 比例"}, // 别 within a word denies nothing
		{"查鹦鹉螺号", "查 鹦鹉 鹉螺 号"},
	} {
		var got []string
		for _, w := range theVocabulary().split(tt.text) {
			got = append(got, w.stem)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q is split into %q, want %q", tt.text, strings.Join(got, " "), tt.want)
		}
	}
}

func TestTerms(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"please show me the files", "show files"},
		{"check it, don't run or save anything", "check -run -save"},
		{"do not delete the file. read it", "-delete file read"},
		{"不要删除文件，只读取", "-删除 文件 读取"},
		{"tell Ana of it", "(Ana)"},
		{"启动 falcon", "启动 (falcon)"},
	} {
		var got []string
		for _, w := range terms(tt.text, 1) {
			switch {
			case w.denied:
				got = append(got, "-"+w.said)
			case w.proper:
				got = append(got, "("+w.said+")")
			default:
				got = append(got, w.said)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q says %q, want %q", tt.text, strings.Join(got, " "), tt.want)
		}
	}
}

func TestTakeLiterals(t *testing.T) {
	for _, tt := range []struct {
		request, rest string
		want          []literal
	}{
		{"read /home/ana/a.csv, please", "read please", []literal{{aPath, "/home/ana/a.csv"}}},
		{`open D:\data\a.txt`, "open", []literal{{aPath, `D:\data\a.txt`}}},
		{"find *.csv", "find", []literal{{aPath, "*.csv"}}},
		{"a folder of notes.txt and src/main.go", "a folder of and", []literal{{aPath, "notes.txt"}, {aPath, "src/main.go"}}},
		{`create "a title"`, "create", []literal{{aText, "a title"}}},
		{"回答“税收会影响就业吗”", "回答", []literal{{aText, "税收会影响就业吗"}}},
		{"set vat_rate to 0.2", "set to", []literal{{aText, "vat_rate"}, {aNumber, "0.2"}}},
		{"14:30 or 12%", "or", []literal{{aNumber, "14:30"}, {aNumber, "12%"}}},
		{"fetch https://example.org/x", "fetch", []literal{{aURL, "https://example.org/x"}}},
		{"show commit 4f2a9c of run7", "show commit of", []literal{{aText, "4f2a9c"}, {aText, "run7"}}},
	} {
		rest, got := takeLiterals(tt.request)
		slices.SortStableFunc(got, func(a, b literal) int { return strings.Index(tt.request, a.text) - strings.Index(tt.request, b.text) })
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q has %v, want %v", tt.request, got, tt.want)
		}
		if strings.Join(strings.Fields(rest), " ") != tt.rest {
			t.Errorf("%q leaves %q, want %q", tt.request, rest, tt.rest)
		}
	}
}

// TestWordList: a word that is ignored and means something would silently mean nothing.
func TestWordList(t *testing.T) {
	v := theVocabulary()
	section := ""
	for line := range strings.Lines(wordList) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = line
			continue
		}
		words, chinese, isMeaning := strings.Cut(line, "=")
		if section != "[words]" {
			continue
		}
		if !isMeaning || len(strings.Fields(words)) == 0 || len(strings.Fields(chinese)) == 0 {
			t.Errorf("%q is no meaning", line)
		}
		for _, w := range strings.Fields(words + chinese) {
			if isChinese(w) && utf8.RuneCountInString(w) > longestChinese {
				t.Errorf("%q is longer than %d characters", w, longestChinese)
			}
			if v.ignored[stem(w)] || v.denies[stem(w)] {
				t.Errorf("%q is ignored or denies, and means something: %s", w, line)
			}
		}
		seen := map[string]bool{}
		for _, w := range strings.Fields(words) {
			if isChinese(w) || seen[w] {
				t.Errorf("%q: %s", w, line)
			}
			seen[w] = true
		}
	}
	if lines := strings.Count(wordList, "\n"); lines > 500 {
		t.Errorf("%d lines", lines)
	}
}
