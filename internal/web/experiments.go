package web

import (
	"context"
	"net/http"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// experimentOperations are those on experiments that have begun.
func (s *Site) experimentOperations() []operation {
	return []operation{
		reads("/experiments", "list_experiments", "Everything that was simulated, newest first.", s.list),
	}
}

func (s *Site) experimentPages() []shown {
	return []shown{
		{Pattern: "/experiments", Template: "experiments", Here: "/experiments", Script: "experiments.js", Data: func(r *http.Request, p *page) (any, error) {
			p.Title = p.T("Experiments", "实验")
			q := r.URL.Query()
			return s.list(r.Context(), nil, listArgs{Page: tools.Page{Limit: 50, Cursor: q.Get("cursor")}, Search: q.Get("search"), Status: q.Get("run_status")})
		}},
	}
}

type listArgs struct {
	tools.Page
	Search string `json:"search,omitempty" max:"200" doc:"words that all occur in name, question, hypothesis or notes"`
	Status string `json:"run_status,omitempty" enum:",queued,burn_in,running,paused,stopped,interrupted,completed,failed"`
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
}

type listAnswer struct {
	Total       int             `json:"total"`
	Experiments []experimentRow `json:"experiments"`
	Next        string          `json:"next_cursor" doc:"empty after the last"`
}

func (s *Site) list(ctx context.Context, _ *tools.Call, in listArgs) (listAnswer, error) {
	list, total, next, err := s.Lab.List(ctx, store.Filter{Limit: in.Limit, Cursor: in.Cursor, State: in.Status, Search: in.Search})
	if err != nil {
		return listAnswer{}, err
	}
	out := listAnswer{Total: total, Next: next}
	for _, x := range list {
		row := experimentRow{
			Name: x.Name, Question: fault.Shorten(x.Question, 400), Created: x.CreatedAt.UTC().Format(time.RFC3339), RunStatus: x.State,
			Month: x.Month, Months: x.Months, Owner: x.Principal,
		}
		for _, arm := range x.Arms {
			row.Arms = append(row.Arms, arm.Name)
		}
		out.Experiments = append(out.Experiments, row)
	}
	return out, nil
}
