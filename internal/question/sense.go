package question

import (
	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// sense is what a question says, in terms of this economy but before anything is taken for granted:
// the two grammars write it, the resolver reads it.
type sense struct {
	lang string
	// arms are the alternatives that the question names ("or", "versus", 还是), in its order. One
	// holds everything that happens together; none = the question names nothing that happens.
	arms []arm
	// everywhere is what happens in every arm: "in a recession", "while AI spreads".
	everywhere []happening
	place      string // preset that the question is set in: "in Germany", "in the crisis"; "" = none
	held       []mention
	outcomes   []wish
	horizon    int // months that the question looks ahead: "over the next ten years"; 0 = it does not say
	marks      []mark
	// foreign is evidence that the question is about something else: words of weather, cooking, code,
	// private money, instructions to the reader, named cities, sizes of firms.
	foreign []mark
}

// arm is one alternative. An arm without happenings and without a place is "do nothing".
type arm struct {
	happens []happening
	place   string // preset that this alternative is: "Germany or the US"
	span    Span
}

// happening is one change of one lever. Quantities are as they are said: the resolver turns "by a fifth"
// or "1500 a month" into a value of the lever.
type happening struct {
	levers []string // identifiers of levers (see levers.go) that the words may mean; several = ambiguous
	change change
	from   *quantity  // from 8 %
	to     *quantity  // to 15 %; of "at", "of", "a 10 % tariff" too
	by     *quantity  // by 2 points, by a third; sign in change
	doses  []quantity // "40, 50 or 60 %": an arm of each
	steps  bool       // doses are what it changes by: "by 1, 2 or 3 points"
	small  bool       // "slightly", 一点
	large  bool       // "a lot", "drastically", 大幅

	begin int        // month in which it starts; 0 = not said
	last  int        // months that it lasts; 0 = for good, -1 = the question has it end before it begins
	ramp  int        // months over which it is phased in; 0 = at once
	when  *condition // "if unemployment passes 10 %", once
	until *condition // "as long as", "until": with when it is a rule that switches on and off
	again bool       // "whenever", "as long as": a rule; else when is once

	group    string // of payments: all, unemployed, bottom_decile, retired, banks …
	industry string // identifier of the industry
	pays     string // lever that finances it: "paid for by VAT"; "" = not said
	span     Span   // of all words that it rests on
}

// change is what the words say is done to a lever.
type change int

const (
	noChange  change = iota // the lever is named, and nothing is said of it
	raise                   // more of the lever, in its own direction
	lower                   // less of it
	settle                  // it is set to a value: to 15 %, at 15 %, "a 10 % tariff"
	introduce               // it is brought in, whatever its size
	abolish                 // it ends: abolished, nobody pays, scrapped, without any
	double
	triple
	halve
	move // it changes, in a direction that is not said: "change taxes", 调整
)

// condition is a comparison of an indicator with a value: unemployment above 8 %.
type condition struct {
	indicator sim.Indicator
	above     bool
	value     quantity
}

// wish is an outcome that the question asks about.
type wish struct {
	indicator sim.Indicator
	expect    int    // 1 = whether it rises, -1 = whether it falls, 0 = either
	group     string // "for the poorest fifth": bottom_fifth, top_tenth, unemployed, low_skill, young …; "" = all
	span      Span
}

// mention is something that the question names and leaves as it is: "without touching taxes".
type mention struct {
	levers []string
	span   Span
}

// mark says what became of a word.
type mark struct {
	span Span
	kind markKind
	as   string // of a used word, what it became; of a foreign one, its subject (see foreignSubjects)
}

type markKind int

const (
	usedMark   markKind = iota
	fillerMark          // known to say nothing about the experiment
	colourMark          // unknown words in a clause that says nothing about the experiment: told, does not stop
	strayMark           // unknown words inside or beside what happens: stops
	numberMark          // a number that nothing took: stops
	negationMark
	comparisonMark
	groupMark
	policyMark
	timeMark
)

// stops says whether a mark of this kind keeps a reading from being ready.
func (k markKind) stops() bool { return k >= strayMark }

// grammar reads a question of one language.
type grammar func(text string) sense

// grammars are tried by the language of the question.
var grammars = map[string]grammar{inquiry.English: readEnglish, inquiry.Chinese: readChinese}
