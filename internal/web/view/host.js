// The app's side of MCP Apps (io.modelcontextprotocol/ui, 2026-01-26): JSON-RPC 2.0 by postMessage with the host that shows this page.

const waiting = new Map(); // requests of ours without an answer, by id
const handlers = new Map(); // of notifications and requests of the host, by method
let last = 0;

const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

// request asks the host, and is what it answers.
export function request(method, params = {}) {
  const id = ++last;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

export const notify = (method, params = {}) => send({ method, params });

// on says what to do with a message of the host; what it returns answers a request.
export const on = (method, handle) => handlers.set(method, handle);

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) asked?.reject(new Error(data.error.message));
    else asked?.resolve(data.result);
    return;
  }
  const handle = handlers.get(data.method);
  if (data.id === undefined) handle?.(data.params ?? {});
  else if (handle) send({ id: data.id, result: handle(data.params ?? {}) ?? {} });
  else send({ id: data.id, error: { code: -32601, message: `no method ${data.method}` } });
});
on("ping", () => {});

let capabilities = {}; // of the host

// begin introduces the page, and is what the host says of itself. Handlers are there by then.
export async function begin() {
  const said = await request("ui/initialize", {
    protocolVersion: "2026-01-26", appInfo: { name: "econ-mcp", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  });
  capabilities = said.hostCapabilities ?? {};
  notify("ui/notifications/initialized");
  return said.hostContext ?? {};
}

// mayCall says whether the host calls tools for the page.
export const mayCall = () => capabilities.serverTools !== undefined;

// read is what a tool answered: its structured content, else the text that says the same.
export function read(result) {
  const text = result.content?.find((part) => part.type === "text")?.text ?? "";
  if (!result.isError) return result.structuredContent ?? JSON.parse(text);
  let said;
  try {
    said = JSON.parse(text).error;
  } catch {
    throw new Error(text);
  }
  throw new Error(said.message + (said.hint ? ` – ${said.hint}` : ""));
}

// call has the host call a tool of the server that this page is of.
export const call = async (name, args) => read(await request("tools/call", { name, arguments: args }));

// tell has the host's model know what a person did here, where the host wants to know.
export function tell(text) {
  if (capabilities.updateModelContext) request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}
