package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// liveOperations follow and steer experiments.
func (s *Site) liveOperations() []operation {
	return []operation{
		reads("/experiments/{experiment_name}/state", "experiment_state", "How far an experiment is.", s.state),
		answers("/experiments/{experiment_name}/events", "follow_experiment", "text/event-stream", "An experiment while it runs. Events: "+
			"snapshot first (state, arms, interventions, the months so far), then months, state and interventions as they change, at most ten "+
			"times a second, and end. The id of an event is MONTH/REPLICATIONS; who sends it as Last-Event-ID is told the months after it.",
			s.events),
		writes("/experiments/{experiment_name}/pause", "pause_experiment", "Pauses after the month under way.", s.pause),
		writes("/experiments/{experiment_name}/resume", "resume_experiment", "Goes on with an experiment that is paused or was interrupted.",
			s.resume),
		writes("/experiments/{experiment_name}/step", "step_experiment", "Simulates one month more and pauses; after the last it is completed.",
			s.step),
		writes("/experiments/{experiment_name}/stop", "stop_experiment", "Ends an experiment for good. What was simulated stays.", s.stop),
	}
}

func (s *Site) livePages() []shown {
	return []shown{{
		Pattern: "/experiments/{experiment_name}/live", Template: "live", Here: "/experiments", Script: "live.js", Style: "live.css",
		Data: s.livePage,
	}}
}

type liveArgs struct {
	Experiment tools.Name `json:"experiment_name"`
}

// liveState is how far an experiment is.
type liveState struct {
	RunStatus        string       `json:"run_status" enum:"queued,burn_in,running,paused,stopped,interrupted,completed,failed"`
	Month            int          `json:"month" doc:"the last that is over; 0 until burn-in is"`
	Months           int          `json:"months"`
	BurnIn           int          `json:"burn_in" doc:"months of burn-in that are over"`
	BurnInMonths     int          `json:"burn_in_months" doc:"0 = not known"`
	Progress         float64      `json:"progress" doc:"share of all months, burn-in included"`
	ETA              stats.Number `json:"eta_seconds" doc:"null = not known"`
	Replications     int          `json:"replications"`
	ReplicationsDone int          `json:"replications_done"`
	Pending          int          `json:"pending_interventions"`
	PauseAt          int          `json:"pause_at_month" doc:"0 = it does not"`
	Text             string       `json:"text" doc:"this in words"`
	Message          string       `json:"message" doc:"why it waits, ended early or simulates more, where there is more to say"`
	Steerable        bool         `json:"steerable" doc:"false: it has ended, or another program runs it"`
}

func stateOf(st lab.Status, steerable bool, language string) liveState {
	return liveState{
		RunStatus: string(st.State), Month: st.Month, Months: st.Months, BurnIn: st.BurnIn, BurnInMonths: st.BurnInMonths, Progress: st.Progress,
		ETA: stats.Number(st.ETASeconds), Replications: st.Replications, ReplicationsDone: st.ReplicationsDone, Pending: st.Pending,
		PauseAt: st.PauseAt, Text: saidState(st, language), Message: fault.Shorten(st.Message, 1000), Steerable: steerable,
	}
}

// saidState says how far an experiment is.
func saidState(st lab.Status, language string) string {
	say := func(en, zh string, values ...any) string { return fmt.Sprintf(inLanguage(language, en, zh), values...) }
	text := ""
	switch {
	case st.Preparing && st.Running():
		text = say("Looking for the number that it begins with", "正在寻找实验开始所需的数值")
	case st.State == run.StateQueued:
		text = say("Waiting for its turn, after month %d of %d", "排队等待，已完成第 %d 个月，共 %d 个月", st.Month, st.Months)
	case st.State == run.StateBurnIn:
		text = say("Burn-in: month %d of %d", "预热：第 %d 个月，共 %d 个月", st.BurnIn, st.BurnInMonths)
	case st.State == run.StateRunning:
		text = say("Running: month %d of %d", "运行中：第 %d 个月，共 %d 个月", st.Month, st.Months)
	case st.State == run.StatePaused:
		text = say("Paused after month %d of %d", "已暂停，完成第 %d 个月，共 %d 个月", st.Month, st.Months)
	case st.State == run.StateStopped:
		text = say("Stopped after month %d of %d", "已停止，完成第 %d 个月，共 %d 个月", st.Month, st.Months)
	case st.State == run.StateInterrupted:
		text = say("Interrupted after month %d of %d; it can go on", "已中断，完成第 %d 个月，共 %d 个月；可继续", st.Month,
			st.Months)
	case st.State == run.StateCompleted:
		text = say("Completed: month %d of %d", "已完成：第 %d 个月，共 %d 个月", st.Month, st.Months)
	default:
		text = say("Failed after month %d of %d", "失败，完成第 %d 个月，共 %d 个月", st.Month, st.Months)
	}
	if st.Running() && st.PauseAt > st.Month {
		return text + say(", pauses after month %d", "，将在第 %d 个月后暂停", st.PauseAt)
	}
	if !st.Running() || !(st.ETASeconds >= 1) {
		return text
	}
	switch seconds := st.ETASeconds; {
	case seconds < 90:
		return text + say(", about %.0f s left", "，约剩 %.0f 秒", seconds)
	case seconds < 5400:
		return text + say(", about %.0f min left", "，约剩 %.0f 分钟", seconds/60)
	default:
		return text + say(", about %.0f h left", "，约剩 %.0f 小时", seconds/3600)
	}
}

func (s *Site) state(ctx context.Context, _ *tools.Call, in liveArgs) (liveState, error) {
	return s.steered(s.Lab.Status(ctx, string(in.Experiment)))
}

func (s *Site) steered(st lab.Status, err error) (liveState, error) {
	if err != nil {
		return liveState{}, err
	}
	return stateOf(st, s.Lab.Steerable(st), report.English), nil
}

func (s *Site) pause(ctx context.Context, c *tools.Call, in liveArgs) (liveState, error) {
	return s.steered(s.Lab.Pause(ctx, string(in.Experiment), c.Caller))
}

type resumeArgs struct {
	liveArgs
	PauseAt *lab.Months `json:"pause_at_month,omitempty" doc:"pauses again after this month"`
}

func (s *Site) resume(ctx context.Context, c *tools.Call, in resumeArgs) (liveState, error) {
	return s.steered(s.Lab.Resume(ctx, string(in.Experiment), int(tools.Given(in.PauseAt)), c.Caller))
}

// step simulates a month of an experiment that stands still.
func (s *Site) step(ctx context.Context, c *tools.Call, in liveArgs) (liveState, error) {
	st, err := s.Lab.Status(ctx, string(in.Experiment))
	if err != nil {
		return liveState{}, err
	}
	if st.Running() {
		return liveState{}, fault.New(fault.InvalidState, "experiment_name", "%s is %s", st.Name, st.State).
			InChinese("%s 正在运行，不能逐月推进", st.Name).WithHint("pause it first")
	}
	pauseAt := st.Month + 1
	if pauseAt >= st.Months {
		pauseAt = 0 // there it ends
	}
	return s.steered(s.Lab.Resume(ctx, st.Name, pauseAt, c.Caller))
}

func (s *Site) stop(ctx context.Context, c *tools.Call, in liveArgs) (liveState, error) {
	return s.steered(s.Lab.Stop(ctx, string(in.Experiment), c.Caller))
}

// mostFollowed is how many indicators a stream has at most.
const mostFollowed = 24

// headlineName names a headline indicator.
type headlineName string

// Enum lists them.
func (headlineName) Enum() []string { return sim.IndicatorNames() }

type eventsArgs struct {
	liveArgs
	Indicators []headlineName `json:"indicators,omitempty" max:"24" doc:"default: the outcomes of the plan, and the main ones"`
	Language   string         `json:"language,omitempty" enum:"en,zh" default:"en" doc:"of labels and of what interventions do"`
}

// headlinesFor are the indicators that are asked for, else eight: the outcomes that the plan of the experiment names first, and main ones.
func headlinesFor(x store.Experiment, names []headlineName) (list []sim.Indicator) {
	add := func(i sim.Indicator) {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	for _, name := range names {
		if i, ok := sim.IndicatorByName(string(name)); ok && i < sim.NumIndicators {
			add(i)
		}
	}
	if len(list) > 0 {
		return list[:min(len(list), mostFollowed)]
	}
	if r, ok := lab.RegistrationOf(x); ok {
		for _, name := range r.Outcomes {
			if i, ok := sim.IndicatorByName(name); ok && i < sim.NumIndicators {
				add(i)
			}
		}
	}
	usual := []sim.Indicator{sim.RealGDP, sim.UnemploymentRate, sim.Inflation, sim.RealWageMean, sim.IncomeGini, sim.DebtToGDP}
	for _, i := range slices.Concat(usual, inference.Outcomes) {
		add(i)
	}
	return list[:chartsShown]
}

// chartsShown is how many indicators a page shows at first.
const chartsShown = 8

// followed is an indicator of a stream.
type followed struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Unit    string `json:"unit"`
	Reading string `json:"reading" enum:"plain,share,money,fraction" doc:"how numbers are written"`
}

func followedOf(list []sim.Indicator, language string) (rows []followed) {
	for _, i := range list {
		rows = append(rows, followed{i.String(), report.Label(i, language), report.Unit(i, language), report.Reading(i)})
	}
	return rows
}

// liveBand is a mean over replications with its 95 % interval, by month.
type liveBand struct {
	Mean column `json:"mean"`
	Low  column `json:"low"`
	High column `json:"high"`
}

// monthsEvent are months of all indicators and arms, in the order of the snapshot.
type monthsEvent struct {
	From   int          `json:"from"`
	To     int          `json:"to"` // below from: there are none
	Series [][]liveBand `json:"series"`
}

// snapshotEvent is how a stream begins. Where its months do not begin with 1, they follow those that the reader has.
type snapshotEvent struct {
	Experiment    string             `json:"experiment_name"`
	Arms          []string           `json:"arms"`
	Indicators    []followed         `json:"indicators"`
	State         liveState          `json:"state"`
	Interventions []liveIntervention `json:"interventions"`
	monthsEvent
}

// monthsOf are the months of a moment after one.
func monthsOf(m moment, after int) monthsEvent {
	e := monthsEvent{From: after + 1, To: m.Months}
	if len(m.Arms) == 0 || after >= m.Months {
		return e
	}
	for i := range m.Arms[0].Mean {
		var arms []liveBand
		for _, b := range m.Arms {
			arms = append(arms, liveBand{b.Mean[i][after:m.Months], b.Low[i][after:m.Months], b.High[i][after:m.Months]})
		}
		e.Series = append(e.Series, arms)
	}
	return e
}

// endID is the id of the last event of a stream: whoever has it is told that there is no more.
const endID = "end"

// position is what a reader has: months, over so many replications.
type position struct{ months, replications int }

func (p position) id() string { return fmt.Sprintf("%d/%d", p.months, p.replications) }

// toldBefore reads an id; what it does not know is nothing.
func toldBefore(id string) (p position) {
	months, replications, _ := strings.Cut(id, "/")
	m, err := strconv.Atoi(months)
	n, other := strconv.Atoi(replications)
	if err != nil || other != nil || m < 0 {
		return position{}
	}
	return position{m, n}
}

// events streams an experiment to one reader.
func (s *Site) events(ctx context.Context, w http.ResponseWriter, c *tools.Call, in eventsArgs) error {
	if err := s.streams.take(c.Principal, mostStreams, "streams of events"); err != nil {
		return err
	}
	defer s.streams.give(c.Principal)
	x, err := s.Lab.Store.Experiment(ctx, string(in.Experiment))
	if err != nil {
		return err
	}
	id := exchangeOf(ctx).r.Header.Get("Last-Event-ID") // of a browser that connects again
	if id == endID {                                    // a browser connects again for ever, unless it is told so
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	var arms []string
	for _, arm := range x.Arms {
		arms = append(arms, arm.Name)
	}
	indicators := headlinesFor(x, in.Indicators)
	f, leave := s.feeds.follow(s.Lab, x.Name, arms, indicators)
	defer leave()
	r := follower{stream: newStream(w), told: toldBefore(id), language: in.Language}
	r.snapshot = snapshotEvent{Experiment: x.Name, Arms: arms, Indicators: followedOf(indicators, in.Language)}
	for beat := time.NewTicker(heartbeatEvery); ; {
		m, changed := f.moment()
		if m.Err != nil && ctx.Err() == nil {
			return m.Err // before anything was sent, this is the answer; after that, the stream breaks off, and the reader asks again
		}
		if m.Known {
			if err := r.tell(m); err != nil {
				return nil // the reader is gone
			}
			if m.Over {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-beat.C:
			r.heartbeat()
			if r.send() != nil {
				return nil
			}
		}
	}
}

// follower is what one reader of a stream has been told.
type follower struct {
	*stream
	told     position
	language string
	snapshot snapshotEvent
	begun    bool
	state    liveState
	plan     int // version
}

// tell sends what is new.
func (r *follower) tell(m moment) error {
	state := stateOf(m.Status, m.Steerable, r.language)
	if r.told.replications != m.Replications {
		r.begun = r.begun && r.told.months == 0 // where there were numbers, all are others now: it begins again
		r.told = position{0, m.Replications}
	}
	news := monthsOf(m, r.told.months)
	r.told.months = max(r.told.months, m.Months)
	var err error
	add := func(name, id string, data any) {
		if err == nil {
			err = r.add(name, id, data)
		}
	}
	switch {
	case !r.begun:
		r.snapshot.State, r.snapshot.Interventions, r.snapshot.monthsEvent = state, liveInterventions(m.Planned, r.language), news
		add("snapshot", r.told.id(), r.snapshot)
	default:
		if news.To >= news.From {
			add("months", r.told.id(), news)
		}
		if !state.same(r.state) {
			add("state", "", state)
		}
		if m.PlanVersion != r.plan {
			add("interventions", "", planEvent{liveInterventions(m.Planned, r.language)})
		}
	}
	r.begun, r.state, r.plan = true, state, m.PlanVersion
	if m.Over {
		add("end", endID, state)
	}
	if err != nil {
		return err
	}
	return r.send()
}

// planEvent are all interventions.
type planEvent struct {
	Interventions []liveIntervention `json:"interventions"`
}

// same says whether two states are equal; an unknown time is equal to itself.
func (a liveState) same(b liveState) bool {
	if a.ETA != a.ETA && b.ETA != b.ETA {
		a.ETA, b.ETA = 0, 0
	}
	return a == b
}

// liveIntervention is an intervention and what became of it.
type liveIntervention struct {
	ID         string       `json:"intervention_id" doc:"EXPERIMENT/ARM/NUMBER"`
	Arm        string       `json:"arm"`
	Number     int          `json:"number" doc:"place in the plan of the arm, from 1"`
	Type       string       `json:"type"`
	Status     string       `json:"status" enum:"pending,active,executed,reverted,cancelled,failed"`
	StatusText string       `json:"status_text"`
	Month      int          `json:"month" doc:"in which it begins, or is looked at first"`
	Began      int          `json:"began" doc:"month; 0 = not yet"`
	What       string       `json:"what" doc:"in words"`
	Note       string       `json:"note" doc:"of who planned it"`
	On         int          `json:"replications_on" doc:"in which it has been in force"`
	Of         int          `json:"replications"`
	MonthsOn   stats.Number `json:"months_on" doc:"mean over those"`
	InForce    string       `json:"months_in_force" doc:"in any replication"`
	Cancelable bool         `json:"cancelable"`
}

// saidStatus says what became of an intervention.
func saidStatus(status, language string) string {
	words := map[string][2]string{
		lab.Pending: {"not begun", "未开始"}, lab.Active: {"in force", "生效中"}, lab.Executed: {"carried out", "已执行"},
		lab.Reverted: {"over", "已结束"}, lab.Cancelled: {"cancelled", "已取消"}, lab.Failed: {"never began", "未能开始"},
	}[status]
	return inLanguage(language, words[0], words[1])
}

func liveInterventions(list []lab.Planned, language string) []liveIntervention {
	rows := []liveIntervention{}
	for _, p := range list {
		v := p.Intervention
		number, _ := strconv.Atoi(p.ID[strings.LastIndexByte(p.ID, '/')+1:])
		rows = append(rows, liveIntervention{
			ID: p.ID, Arm: p.Arm, Number: number, Type: string(v.Type), Status: p.State, StatusText: saidStatus(p.State, language),
			Month: v.TargetMonth, Began: p.Began, What: inquiry.SaidEvent(v, language), Note: fault.Shorten(v.Description, 300),
			On: p.InForce.Replications(), Of: len(p.InForce.Spans),
			MonthsOn: stats.Number(p.InForce.Mean()), InForce: tables.MonthsText(p.InForce.Any()), Cancelable: p.State == lab.Pending,
		})
	}
	return rows
}

// livePageData is what the page of an experiment that runs shows before anything moves.
type livePageData struct {
	Name, Question string
	Arms           []string
	LastArm        int        // that an intervention acts in unless the visitor says otherwise
	Shown          []followed // those of the charts
	All            []followed // what there is to choose from
	State          liveState
	Interventions  []liveIntervention
	Ended          bool // for good
	Steers         bool // the visitor may steer it
	Levers         leverList
}

func (s *Site) livePage(r *http.Request, p *page) (any, error) {
	ctx, name := r.Context(), r.PathValue("experiment_name")
	x, err := s.Lab.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	st, err := s.Lab.Status(ctx, name)
	if err != nil {
		return nil, err
	}
	planned, err := s.Lab.Planned(ctx, name)
	if err != nil {
		return nil, err
	}
	var names []headlineName
	for part := range strings.SplitSeq(r.URL.Query().Get("indicators"), ",") {
		names = append(names, headlineName(part))
	}
	d := livePageData{
		Name: x.Name, Question: fault.Shorten(x.Question, 4000), State: stateOf(st, s.Lab.Steerable(st), p.Language),
		Shown: followedOf(headlinesFor(x, names), p.Language), All: followedOf(slices.Collect(headlineIndicators), p.Language),
		Interventions: liveInterventions(planned, p.Language),
	}
	for _, arm := range x.Arms {
		d.Arms = append(d.Arms, arm.Name)
	}
	d.LastArm, d.Ended = len(d.Arms)-1, st.Final() && st.Month > 0
	if d.Steers, err = s.Lab.MaySteer(ctx, name, p.Caller); err != nil {
		return nil, err
	}
	if d.Steers && d.State.Steerable {
		if d.Levers, err = s.levers(ctx, nil, leverArgs{liveArgs{tools.Name(name)}, p.Language}); err != nil {
			return nil, err
		}
	}
	p.Title = p.T(name+", live", name+"，实时")
	return d, nil
}

func headlineIndicators(yield func(sim.Indicator) bool) {
	for i := range sim.NumIndicators {
		if !yield(i) {
			return
		}
	}
}
