package inquiry

import "econ-mcp/sim"

// groupLabels are what people call the groups that money goes to.
var groupLabels = map[string]words{
	"all":           {"everybody", "所有人"},
	"bottom_decile": {"the poorest tenth", "最穷的十分之一"},
	"unemployed":    {"the unemployed", "失业者"},
	"retired":       {"the retired", "退休者"},
	"banks":         {"banks", "银行"},
	"lottery":       {"a random tenth of the households", "随机十分之一的家庭"},
}

// parameterLabel is what people call a parameter, with its name behind it.
func parameterLabel(name, language string) string {
	row, err := sim.Lookup(name)
	return label(words{row.Label, row.LabelZH}, name, language, err == nil)
}

// packageLabel is what people call a policy or a shock, with its identifier behind it.
func packageLabel(of sim.InterventionType, id, language string) string {
	row, err := sim.PackageByID(of, id)
	return label(words{row.Label, row.LabelZH}, id, language, err == nil)
}

// GroupLabel is what people call a group, with its identifier behind it.
func GroupLabel(group, language string) string {
	w, ok := groupLabels[group]
	return label(w, group, language, ok)
}

func label(w words, name, language string, known bool) string {
	if !known {
		return name
	}
	return sayf(language, "%s (%s)", "%s（%s）", w.in(language), name)
}
