// A host of MCP Apps in a browser, on the reference AppBridge: it calls a tool of the server, and shows the page that the tool names in a
// sandbox of another origin. apps.mjs drives it through the functions that it leaves in window.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/app-bridge";

const { sandbox, version } = Object.fromEntries(new URLSearchParams(location.search));
const info = { name: "econ-mcp-e2e-host", version: "1" };
const client = new Client(info, {
	capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
	...(version === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
});
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
const tools = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));

window.views = Object.fromEntries([...tools.values()].map((tool) => [tool.name, getToolUiResourceUri(tool)]));
window.calls = []; // that the page had the host make
window.told = []; // what the page had the model know
window.call = async (name, args) => {
	const result = await client.callTool({ name, arguments: args });
	if (result.isError) throw new Error(result.content[0].text);
	return result.structuredContent;
};

let bridge;
// open calls a tool and shows its page, in the place of the one before.
window.open_ = async (name, args, hostContext, capabilities = { serverTools: {}, updateModelContext: { text: {} } }) => {
	if (bridge) await bridge.teardownResource({});
	document.querySelector("iframe")?.remove();
	window.calls = [];
	const result = client.callTool({ name, arguments: args });
	const { contents: [page] } = await client.readResource({ uri: getToolUiResourceUri(tools.get(name)) });
	if (page.mimeType !== RESOURCE_MIME_TYPE) throw new Error(`a page of type ${page.mimeType}`);
	window.page = { bytes: page.text.length, meta: page._meta };
	const frame = document.createElement("iframe");
	frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
	bridge = new AppBridge(client, info, capabilities, { hostContext });
	bridge.onupdatemodelcontext = async (params) => {
		window.told.push(params.content[0].text);
		return {};
	};
	bridge.onrequestdisplaymode = async ({ mode }) => {
		window.mode = mode;
		return { mode };
	};
	bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px`; };
	const ready = new Promise((done) => { bridge.onsandboxready = done; });
	const initialized = new Promise((done) => { bridge.oninitialized = done; });
	frame.src = `${sandbox}/?csp=${encodeURIComponent(JSON.stringify(page._meta.ui.csp))}`;
	document.body.append(frame);
	await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
	bridge.oncalltool = async (params) => { // in the place of what the bridge itself does, to know of it
		window.calls.push(params);
		return client.callTool(params);
	};
	await ready;
	await bridge.sendSandboxResourceReady({ html: page.text, csp: page._meta.ui.csp });
	await initialized;
	await bridge.sendToolInput({ arguments: args });
	await bridge.sendToolResult(await result);
	return frame.getBoundingClientRect().height;
};
window.setContext = (context) => bridge.setHostContext(context);
window.ready = true;
