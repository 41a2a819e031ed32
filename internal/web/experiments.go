package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// experimentOperations are those on experiments that have begun.
func (s *Site) experimentOperations() []operation {
	return []operation{
		reads("/experiments", "list_experiments", "Everything that was simulated, newest first or by name.", s.list),
		reads("/headlines", "list_headlines", "What experiments found on the first outcome of their plans, of those whose results somebody has seen: "+
			"a list is no look at results.", s.headlines),
	}
}

func (s *Site) experimentPages() []shown {
	return []shown{
		{Pattern: "/experiments", Template: "experiments", Here: "/experiments", Script: "experiments.js", Style: "experiments.css",
			Data: func(r *http.Request, p *page) (any, error) {
				p.Title = p.T("Experiments", "实验")
				q := r.URL.Query()
				in := listArgs{Page: tools.Page{Limit: 50, Cursor: q.Get("cursor")}, Search: q.Get("search"), Status: q.Get("run_status"), Sort: q.Get("sort")}
				if in.Status != "" && !slices.Contains(runStates, in.Status) || in.Sort != "" && !slices.Contains(sorts, in.Sort) {
					return nil, fault.New(fault.OutOfRange, "", "there is no such list").InChinese("没有这样的列表").WithHint("/experiments")
				}
				answer, err := s.list(r.Context(), nil, in)
				return listShown{in, answer, runStates}, err
			}},
	}
}

// Choices of the list.
var (
	runStates = []string{
		string(run.StateQueued), string(run.StateBurnIn), string(run.StateRunning), string(run.StatePaused), string(run.StateStopped),
		string(run.StateInterrupted), string(run.StateCompleted), string(run.StateFailed),
	}
	sorts = []string{"newest", "name"}
)

// listShown is the page of the list.
type listShown struct {
	Asked listArgs
	listAnswer
	States []string
}

// Filtered says whether the list leaves something out.
func (l listShown) Filtered() bool { return l.Asked.Search != "" || l.Asked.Status != "" }

// NextPage is the address of the rest of the list, FirstPage that of its beginning.
func (l listShown) NextPage() string  { return l.address(l.Next) }
func (l listShown) FirstPage() string { return l.address("") }

func (l listShown) address(cursor string) string {
	q := url.Values{}
	for name, value := range map[string]string{"cursor": cursor, "search": l.Asked.Search, "run_status": l.Asked.Status, "sort": l.Asked.Sort} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return (&url.URL{Path: "/experiments", RawQuery: q.Encode()}).String()
}

// State is a state of runs in words.
func (p page) State(state string) string { return report.StateText(state, p.Language) }

type listArgs struct {
	tools.Page
	Search string `json:"search,omitempty" max:"200" doc:"words that all occur in name, question, hypothesis or notes"`
	Status string `json:"run_status,omitempty" enum:",queued,burn_in,running,paused,stopped,interrupted,completed,failed"`
	Sort   string `json:"sort,omitempty" enum:"newest,name" default:"newest"`
}

type experimentRow struct {
	Name      string   `json:"experiment_name"`
	Question  string   `json:"question"`
	Created   string   `json:"created"`
	RunStatus string   `json:"run_status"`
	Month     int      `json:"month"`
	Months    int      `json:"months"`
	Arms      []string `json:"arms"`
	Owner     string   `json:"owner" doc:"empty = who runs the program"`

	At time.Time `json:"-"` // when it was created
}

type listAnswer struct {
	Total       int             `json:"total"`
	Experiments []experimentRow `json:"experiments"`
	Next        string          `json:"next_cursor" doc:"empty after the last"`
}

func (s *Site) list(ctx context.Context, _ *tools.Call, in listArgs) (listAnswer, error) {
	list, total, next, err := s.Lab.List(ctx, store.Filter{
		Limit: in.Limit, Cursor: in.Cursor, State: in.Status, Search: in.Search, ByName: in.Sort == "name",
	})
	if err != nil {
		return listAnswer{}, err
	}
	out := listAnswer{Total: total, Next: next}
	for _, x := range list {
		row := experimentRow{
			Name: x.Name, Question: fault.Shorten(x.Question, 400), Created: x.CreatedAt.UTC().Format(time.RFC3339), RunStatus: x.State,
			Month: x.Month, Months: x.Months, Owner: x.Principal, At: x.CreatedAt,
		}
		for _, arm := range x.Arms {
			row.Arms = append(row.Arms, arm.Name)
		}
		out.Experiments = append(out.Experiments, row)
	}
	return out, nil
}

type headlineArgs struct {
	languageArgs
	Names []tools.Name `json:"experiment_names" min:"1" max:"50"`
}

type headlineList struct {
	Headlines []headlineRow `json:"headlines" doc:"in the order of the names, without experiments that are not there"`
}

// headlineRow is what a list says of a result.
type headlineRow struct {
	Experiment  string         `json:"experiment_name"`
	State       string         `json:"state" enum:"shown,unread,unfinished,none" doc:"unread: nobody has seen its results yet; the rest is filled in where shown"`
	Metric      string         `json:"metric"`
	Label       string         `json:"label"`
	Reading     string         `json:"reading"`
	Arm         string         `json:"arm" doc:"the last one that is held against the control"`
	Arms        int            `json:"arms" doc:"that are"`
	Exploratory bool           `json:"exploratory" doc:"it was not planned, or the plan was left: no verdict"`
	Verdict     string         `json:"verdict" doc:"one of the tables of effects"`
	Word        string         `json:"word" doc:"the verdict in a few words"`
	Text        string         `json:"text" doc:"what is shown, with its interval"`
	Difference  stats.Number   `json:"difference"`
	Months      []int          `json:"months"`
	Path        []stats.Number `json:"path" doc:"the difference to the control in these months"`
}

func (s *Site) headlines(ctx context.Context, c *tools.Call, in headlineArgs) (headlineList, error) {
	names := make([]string, len(in.Names))
	for k, name := range in.Names {
		names[k] = string(name)
	}
	list, err := s.Lab.Headlines(ctx, names, c.Principal)
	if err != nil {
		return headlineList{}, err
	}
	out := headlineList{Headlines: []headlineRow{}}
	for _, of := range list {
		row := headlineRow{Experiment: of.Experiment, State: string(of.State), Difference: stats.Absent, Months: []int{}, Path: []stats.Number{}}
		if of.State == lab.HeadlineShown {
			indicator := indicatorOf(of.Metric, in.Language)
			row.Metric, row.Label, row.Reading = indicator.Name, indicator.Label, indicator.Reading
			row.Arm, row.Arms, row.Exploratory = of.Row.Arm, of.Arms, of.Row.Exploratory
			row.Word, row.Text = report.Headline(&of.Row, of.Confidence, in.Language)
			if !row.Exploratory {
				row.Verdict = string(of.Row.Verdict)
			}
			row.Difference, row.Months, row.Path = of.Row.Difference, of.Months, stats.Numbers(of.Path)
		}
		out.Headlines = append(out.Headlines, row)
	}
	return out, nil
}
