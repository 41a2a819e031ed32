package web

import (
	"archive/zip"
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
)

// reportPolicy is that of a report, which is a page with a style of its own and nothing else: it can do nothing here.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

// experimentFile is a file that can be had of an experiment.
type experimentFile struct {
	name, kind string // its name, and its media type
	en, zh     string // what it is
	judges     bool   // it says what was found, see [lab.Judgeable]
	there      func(x store.Experiment) bool
	of         func(ctx context.Context, l *lab.Laboratory, in toldArgs, by string) ([]byte, error)
}

func reportFile(name, kind, format, en, zh string) experimentFile {
	of := func(ctx context.Context, l *lab.Laboratory, in toldArgs, by string) ([]byte, error) {
		text, err := l.Report(ctx, string(in.Experiment), format, in.Language, by)
		return []byte(text), err
	}
	return experimentFile{name, kind, en, zh, true, nil, of}
}

// experimentFiles are all of them, but for the scenario of each arm.
var experimentFiles = []experimentFile{
	reportFile("report.html", "text/html", "html", "report as one page with its figures", "实验报告（网页，含图）"),
	reportFile("report.md", "text/markdown", "markdown", "report as Markdown; figures by link", "实验报告（Markdown，图以链接给出）"),
	reportFile("report.json", "application/json", "json", "report as data", "实验报告（数据）"),
	{"results.csv", "text/csv", "effects with intervals and p-values, or levels of one arm", "效应、区间与p值（单组时为水平值）", true, nil,
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, by string) ([]byte, error) {
			rows, _, err := l.Results(ctx, string(in.Experiment), by)
			return rows, err
		}},
	{"results.parquet", "application/vnd.apache.parquet", "the same as Parquet", "同上，Parquet 格式", true, nil,
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, by string) ([]byte, error) {
			_, rows, err := l.Results(ctx, string(in.Experiment), by)
			return rows, err
		}},
	{"analysis.json", "application/json", "analysis by the plan, whole", "按计划所作的完整分析", true, nil,
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, by string) ([]byte, error) {
			r, err := l.Told(ctx, string(in.Experiment), in.Language, by)
			if err != nil {
				return nil, err
			}
			return json.Marshal(r.Analysis)
		}},
	{"timeseries.csv", "text/csv", "all indicators of all arms, replications and months", "全部实验组、重复与月份的全部指标", false, hasMonths,
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, _ string) ([]byte, error) {
			text, err := l.CSV(ctx, string(in.Experiment))
			return []byte(text), err
		}},
	{"summary.json", "application/json", "values of the last month by arm, with intervals", "各组末月数值与区间", false, hasMonths,
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, _ string) ([]byte, error) {
			text, err := l.SummaryJSON(ctx, string(in.Experiment))
			return []byte(text), err
		}},
	{"inquiry.yaml", "application/yaml", "what was asked, as econ-mcp ask takes it", "所提之问，可供 econ-mcp ask 使用", false,
		func(x store.Experiment) bool { r, _ := lab.RegistrationOf(x); return r.Inquiry != "" },
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, _ string) ([]byte, error) {
			x, err := l.Store.Experiment(ctx, string(in.Experiment))
			if err != nil {
				return nil, err
			}
			r, _ := lab.RegistrationOf(x)
			if r.Inquiry == "" {
				return nil, fault.New(fault.NotFound, "experiment_name", "%s was not made of an inquiry", x.Name).
					WithHint("take the scenarios of its arms")
			}
			return []byte(r.Inquiry), nil
		}},
	{"plan.json", "application/json", "plan as it was stored before the first month", "第1个月之前存档的计划", false,
		func(x store.Experiment) bool { return len(x.Plan) > 0 },
		func(ctx context.Context, l *lab.Laboratory, in toldArgs, _ string) ([]byte, error) {
			x, err := l.Store.Experiment(ctx, string(in.Experiment))
			if err == nil && len(x.Plan) == 0 {
				err = fault.New(fault.NotFound, "experiment_name", "%s has no plan", x.Name).WithHint("take the scenarios of its arms")
			}
			return x.Plan, err
		}},
}

// packageFile is everything in one file.
const packageFile = "package.zip"

func hasMonths(x store.Experiment) bool { return x.Month > 0 }

type fileRow struct {
	Name   string `json:"file"`
	Path   string `json:"path" doc:"below /api/v1"`
	Kind   string `json:"media_type"`
	About  string `json:"about"`
	Judges bool   `json:"judges" doc:"it says what was found: while the experiment runs that is beyond the plan, and is counted"`
}

// filesOf lists the files of an experiment; judged = those too that say what was found.
func filesOf(x store.Experiment, language string, judged bool) (list []fileRow) {
	path := "/experiments/" + x.Name + "/files/"
	in := func(en, zh string) string { return inLanguage(language, en, zh) }
	add := func(f fileRow) {
		if !f.Judges || judged && x.Month > 0 {
			list = append(list, f)
		}
	}
	for _, f := range experimentFiles {
		if f.there == nil || f.there(x) {
			query := ""
			if strings.HasPrefix(f.name, "report.") {
				query = "?language=" + language
			}
			add(fileRow{f.name, path + f.name + query, f.kind, in(f.en, f.zh), f.judges})
		}
	}
	for _, arm := range x.Arms {
		add(fileRow{"scenario-" + arm.Name + ".yaml", path + "scenarios/" + arm.Name, "application/yaml",
			in("scenario of the arm "+arm.Name+", as it can be run again", "实验组 "+arm.Name+" 的情景（可再次运行）"), false})
	}
	add(fileRow{packageFile, path + packageFile + "?language=" + language, "application/zip",
		in("all of it: report, figures (SVG, PNG, PDF), tables, scenarios, RO-Crate metadata",
			"全部材料：报告、图（SVG、PNG、PDF）、表、情景与 RO-Crate 元数据"), true})
	return list
}

type filesAnswer struct {
	Experiment string    `json:"experiment_name"`
	Files      []fileRow `json:"files"`
}

func (s *Site) listFiles(ctx context.Context, _ *tools.Call, in toldArgs) (filesAnswer, error) {
	x, err := s.Lab.Store.Experiment(ctx, string(in.Experiment))
	if err != nil {
		return filesAnswer{}, err
	}
	return filesAnswer{x.Name, filesOf(x, in.Language, true)}, nil
}

type scenarioArgs struct {
	experimentArgs
	Arm tools.Name `json:"arm"`
}

// fileOperations are an operation for each file.
func (s *Site) fileOperations() (list []operation) {
	const below = "/experiments/{experiment_name}/files/"
	for _, f := range experimentFiles {
		list = append(list, answers(below+f.name, "get_"+strings.ReplaceAll(f.name, ".", "_"), f.kind, "Of an experiment: "+f.en+".",
			func(ctx context.Context, w http.ResponseWriter, c *tools.Call, in toldArgs) error {
				if err := s.heavy.Acquire(ctx, 1); err != nil {
					return err
				}
				data, err := f.of(ctx, s.Lab, in, c.Principal)
				s.heavy.Release(1)
				if err != nil {
					return err
				}
				name := string(in.Experiment) + "-" + f.name
				if f.kind == "text/html" { // it is looked at
					w.Header().Set("Content-Security-Policy", reportPolicy)
					sendFile(w, "inline", name, f.kind, data)
					return nil
				}
				sendFile(w, "attachment", name, f.kind, data)
				return nil
			}))
	}
	return append(list,
		answers(below+"scenarios/{arm}", "get_scenario_yaml", "application/yaml",
			"Of an experiment: the scenario of an arm, as it can be run again.",
			func(ctx context.Context, w http.ResponseWriter, _ *tools.Call, in scenarioArgs) error {
				data, err := s.Lab.ScenarioYAML(ctx, string(in.Experiment), string(in.Arm))
				if err == nil {
					sendFile(w, "attachment", string(in.Experiment)+"-"+string(in.Arm)+".yaml", "application/yaml", data)
				}
				return err
			}),
		answers(below+packageFile, "get_package_zip", "application/zip",
			"Of an experiment: all that others need to read, check and repeat it, with RO-Crate metadata.", s.packageZIP))
}

func sendFile(w http.ResponseWriter, how, name, kind string, data []byte) {
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": name}))
	_, _ = w.Write(data)
}

// packageZIP sends the package of an experiment as one file, the same bytes for the same package.
func (s *Site) packageZIP(ctx context.Context, w http.ResponseWriter, c *tools.Call, in toldArgs) error {
	if err := s.heavy.Acquire(ctx, 1); err != nil {
		return err
	}
	files, err := s.Lab.Package(ctx, string(in.Experiment), in.Language, c.Principal)
	s.heavy.Release(1)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": string(in.Experiment) + ".zip"}))
	z := zip.NewWriter(w)
	for _, f := range files {
		to, err := z.Create(string(in.Experiment) + "/" + f.Path)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.Data); err != nil {
			return err
		}
	}
	return z.Close()
}
