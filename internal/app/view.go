package app

import (
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/web"
	"econ-mcp/tools"
)

// views are the pages that hosts show beside results of the tools that name them.
func views() []mcpserver.View {
	return []mcpserver.View{{
		URI: tools.ResultView, Name: "result", Title: "Result", TitleZH: "结果",
		Description: "What a tool answered, as charts and tables, and forms to ask for more", HTML: web.View(),
	}}
}
