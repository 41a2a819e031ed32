package selection

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// kind is what a literal in a request looks like.
type kind int

const (
	aNumber      kind = iota
	aMonth            // the number of a month
	aSpan             // how many months or years
	aWindow           // from one month to another
	aPath             // a file or a directory
	aPattern          // of paths: *.csv
	aRepository       // owner/repository
	aBranch           // feature/x
	aText             // quoted
	aQuestion         // a quoted question
	anIdentifier      // ai_jobs, run7, fix-1
	anObject          // {"a": 1}
	anAssignment      // a=1, a -> 1, a to 1
	aURL
)

// isDefinite says whether the look of a literal tells what a request is about.
func (k kind) isDefinite() bool {
	return k == aPath || k == aPattern || k == aRepository || k == anObject || k == aURL || k == anAssignment
}

// literal is a part of a request that can be the value of an argument.
type literal struct {
	kind kind
	text string
}

// form is what literals of a kind look like. What the groups of its expression match, and
// else all of it, is the literal; the words around stay with the request. Accept, where
// there is one, looks at what the expression cannot see.
type form struct {
	kind   kind
	look   *regexp.Regexp
	accept func(request, text string, to int) bool
}

// literalForms are tried in this order; what one takes is not seen by the next.
var literalForms = []form{
	{anObject, regexp.MustCompile(`\{[^{}]*\}`), nil},
	{aText, regexp.MustCompile("[“\"「『]([^”\"」』]+)[”\"」』]|`([^`]+)`|(?:^|[\\s(])'([^']+)'"), nil},
	{aURL, regexp.MustCompile(`https?://[^\s\p{Han}，。、；]+`), nil},
	{anIdentifier, regexp.MustCompile(`[A-Za-z]\w*(?:\.\w+)+\([^()]*\)?|[a-z]\w*_\w+\(\)?|[A-Za-z]\w*\(\)`), nil}, // a call in a program
	{aPattern, regexp.MustCompile(`[\w./~-]*\*[\w./*-]*`), nil},
	{aPath, regexp.MustCompile(`(?:^|[^\w.~:/-])(` + root + `(?:[^\s，。、；：“”（）]*\.[A-Za-z][A-Za-z0-9]{0,4}\b|[^\s，。、；：“”（）\p{Han}]*\p{Han}+/))`), nil},
	{aPath, regexp.MustCompile(`(?:^|\s)(` + root + `(?:[^\s\p{Han}，。、；：]*[\\/])?\p{Han}{1,6})(?:\s|$)`), nil},
	{aPath, regexp.MustCompile(`(?:^|[^\w.~:/-])(` + root + `[^\s\p{Han}，。、；：]*)`), nil},
	{aRepository, regexp.MustCompile(`(?i)(?:\b(?:of|from|in|on|to|at)|仓库|项目)\s*([A-Za-z][\w-]*/[\w-]+\.[A-Za-z]{1,4})\b`), besideFile},
	{aPath, regexp.MustCompile(`[\w-]+(?:/[\w.-]+){2,}|[\w-]+(?:/[\w-]+)?\.[A-Za-z][A-Za-z0-9]{0,4}\b`), nil},
	{aBranch, regexp.MustCompile(`\b(?:feature|feat|fix|bugfix|hotfix|release|chore|refactor|topic)/[\w.-]+`), nil},
	{aRepository, regexp.MustCompile(`[A-Za-z0-9][\w-]*/[\w-]+`), isRepository},
	{aWindow, regexp.MustCompile(`(?i)\bmonths?\s+(\d+)\s*(?:-|–|—|to|through|until|till|and)\s*(?:months?\s+)?(\d+)|(\d+)\s*个?月?\s*(?:到|至|-|–|—|~|～)\s*第?\s*(\d+)\s*个?月`), nil},
	{aMonth, regexp.MustCompile(`(?i)\bmonths?\s+(\d+)|第\s*(\d+)\s*个?月`), nil},
	{aSpan, regexp.MustCompile(`(?i)(\d+)\s*-?\s*(?:months?|years?)\b|(\d+)\s*(?:个?月|年)`), nil},
	{anAssignment, regexp.MustCompile(`([A-Za-z_][\w.]*)\s*(?:=|:=|->|→)\s*([\w.+-]+%?)`), nil},
	{anAssignment, regexp.MustCompile(`(?i)\b([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?:\s*[:：]\s*|(?:` + link + `)\s*|\s+)([+-]?\d+(?:\.\d+)?\b)`), nil},
	{anIdentifier, regexp.MustCompile(`\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|\bv?[0-9]+(?:\.[0-9]+){2,}\b|\bv[0-9]+(?:\.[0-9]+)*\b|[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-?[0-9]+[A-Za-z0-9-]*`), nil},
	{anIdentifier, regexp.MustCompile(`(?i)(?:\b(?:called|named)\s+|(?:叫|叫做|名为|名叫|取名|命名为|名称为)\s*)([A-Za-z][\w.-]*)`), isName},
	{anIdentifier, regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+`), isName},
	{aNumber, regexp.MustCompile(`[+-]?\d+(?:,\d{3})*(?:\.\d+)?%?`), nil},
}

const (
	root = `(?:[A-Za-z]:[\\/]|~/|\.{0,2}/)` // of a path that says where it begins
	// What stands between a name and its value, in words.
	link = `(?:\s+(?:should|must|shall|stands?|stay|to|at|be|is|equals?|of|up|down|by|as|with))+|\s*(?:应?为|是|取|等于|(?:改|设|调|写|换|变|定|提高|提升|升|降低|降|增加|减少|设置|设定|调整|修改)(?:成|为|到|至))`
)

// takeLiterals separates the literals of a request from its words. The word month stays
// with the words, as what links a name to its value does: they say what is asked for.
func takeLiterals(request string) (rest string, found []literal) {
	for _, f := range literalForms {
		var out strings.Builder
		last := 0
		for _, at := range f.look.FindAllStringSubmatchIndex(request, -1) {
			var spans [][2]int
			for g := 2; g < len(at); g += 2 {
				if at[g] >= 0 {
					spans = append(spans, [2]int{at[g], at[g+1]})
				}
			}
			if spans == nil {
				spans = append(spans, [2]int{at[0], at[1]})
			}
			var parts []string
			for _, s := range spans {
				parts = append(parts, strings.Trim(request[s[0]:s[1]], ".,;:!?)("))
			}
			text := strings.Join(parts, "=")
			if strings.Trim(text, "/-. ") == "" || f.accept != nil && !f.accept(request, text, at[1]) {
				continue // a sign between words, or words
			}
			kind := f.kind
			switch {
			case kind == aText && isQuestion(text):
				kind = aQuestion
			case kind == aText && oneName.MatchString(text):
				kind = anIdentifier
			}
			found = append(found, literal{kind, text})
			for _, s := range spans {
				out.WriteString(request[last:s[0]] + " ")
				last = s[1]
			}
		}
		request = out.String() + request[last:]
	}
	return request, found
}

// besideFile accepts owner/name.ext as a repository where a request has another file and
// no plain owner/name: README.md of octo/hello.js.
func besideFile(request, text string, _ int) bool {
	rest := strings.Replace(request, text, " ", 1)
	return bareFile.MatchString(rest) && !strings.Contains(rest, "/")
}

var bareFile = regexp.MustCompile(`\b[\w-]+\.[A-Za-z]\w{0,4}\b`)

// isRepository tells owner/name from and/or and from EUR/USD.
func isRepository(_, text string, _ int) bool {
	return text != strings.ToUpper(text) && !theLexicon().hasAll(strings.Split(text, "/"))
}

// isName tells a name with hyphens, or one that "called" precedes, from words. Compounds
// that say how something is stand before it (low-skilled jobs) or end in a participle;
// in a Chinese text what is Latin and no word is a name.
func isName(request, text string, to int) bool {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '-' || r == '.' })
	l := theLexicon()
	known := 0
	for _, p := range parts {
		if s := stem(p); l.empty[s] {
			return false
		} else if l.verbs[s] || l.mates[s] != nil || l.alias[s] != nil {
			known++
		}
	}
	if known == len(parts) && (len(parts) == 1 || !hasHan(request)) {
		return false
	}
	if len(parts) == 1 || hasHan(request) {
		return true
	}
	last := parts[len(parts)-1]
	next := nextWord.FindString(request[to:])
	return !strings.HasSuffix(last, "ed") && !strings.HasSuffix(last, "ing") && (next == "" || l.empty[stem(strings.ToLower(strings.TrimSpace(next)))])
}

// oneName is a name that no word of a language looks like.
var oneName = regexp.MustCompile(`^\w+(?:[_-]\w+)*[_\d]\w*$`)

var nextWord = regexp.MustCompile(`^\s+[A-Za-z]+`)

// topicMark is what stands before the subject of a search: what follows is a value too.
var topicMark = regexp.MustCompile(`(?i)\b(?:about|regarding|concerning|mentioning|containing)\s|关于|有关|包含`)

// splitTopic separates what a request says from what it is to be about.
func splitTopic(rest string) (request, topic string) {
	if at := topicMark.FindStringIndex(rest); at != nil {
		return rest[:at[0]], rest[at[1]:]
	}
	return rest, ""
}

// implied are the words that literals say by what they look like.
func implied(found []literal) string {
	var words []string
	files, assigned := 0, 0
	for _, l := range found {
		switch ending := strings.ToLower(path.Ext(l.text)); {
		case l.kind == aPath && slices.Contains(imageEndings, ending):
			words = append(words, "image")
		case l.kind == aPath && ending != "":
			words = append(words, "file")
			files++
		case l.kind == aPattern:
			words = append(words, "file")
		case l.kind == aPath && ending == "":
			words = append(words, "directory")
		case l.kind == aRepository:
			words = append(words, "repository")
		case l.kind == aQuestion:
			words = append(words, "question")
		case l.kind == anAssignment:
			assigned++
		case l.kind == anObject:
			assigned += strings.Count(l.text, `":`)
		}
	}
	if files > 1 || assigned > 1 {
		words = append(words, "multiple")
	}
	if assigned > 0 && files == 0 {
		words = append(words, "set", "parameter", "value")
	}
	return strings.Join(words, " ")
}

var imageEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff"}
