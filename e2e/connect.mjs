// Connects a client of one of the two SDKs to a server. Both have the same methods.
//
//   v1   @modelcontextprotocol/sdk, the revisions with sessions
//   v2   @modelcontextprotocol/client, pinned to the revision 2026-07-28

// A function onsampling is the language model of the client: it is given the parameters of a request.
export async function connect({ sdk, transport, target, headers = {}, onnotification = () => {}, onsampling }) {
	const { Client, CreateMessageRequestSchema, ...transports } = await load(sdk);
	const capabilities = onsampling ? { sampling: {} } : {};
	const info = { name: "econ-mcp-e2e", version: "1" };
	const client =
		sdk === "v1"
			? new Client(info, { capabilities })
			: new Client(info, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } });
	client.fallbackNotificationHandler = async (n) => onnotification(n);
	if (onsampling) {
		const method = sdk === "v1" ? CreateMessageRequestSchema : "sampling/createMessage";
		client.setRequestHandler(method, (request) => onsampling(request.params));
	}
	const requestInit = { headers };
	switch (transport) {
		case "stdio":
			await client.connect(new transports.StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env }));
			break;
		case "http":
			await client.connect(new transports.StreamableHTTPClientTransport(new URL(target[0]), { requestInit }));
			break;
		case "sse":
			await client.connect(new transports.SSEClientTransport(new URL(target[0]), { requestInit }));
			break;
		default:
			throw new Error(`no transport ${transport}`);
	}
	return client;
}

async function load(sdk) {
	if (sdk === "v2") {
		return { ...(await import("@modelcontextprotocol/client")), ...(await import("@modelcontextprotocol/client/stdio")) };
	}
	const base = "@modelcontextprotocol/sdk/client";
	return {
		...(await import(`${base}/index.js`)),
		...(await import(`${base}/stdio.js`)),
		...(await import(`${base}/streamableHttp.js`)),
		...(await import(`${base}/sse.js`)),
		...(await import("@modelcontextprotocol/sdk/types.js")),
	};
}
