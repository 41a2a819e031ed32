package automation

import (
	"econ-mcp/internal/design"
	"econ-mcp/internal/param"
	"econ-mcp/internal/scenario"
)

// Configs are the scenarios of a library as the design of experiments finds and keeps
// them.
func Configs(l *param.Library) design.Library { return configs{l} }

type configs struct{ *param.Library }

// SaveConfig keeps a config and says where.
func (c configs) SaveConfig(name string, s scenario.Scenario, overwrite bool) (path string, err error) {
	entry, err := c.Library.SaveConfig(name, s, overwrite)
	return entry.Path, err
}
