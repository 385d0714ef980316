// An agent: goes from an address to a feed with the client of the Model Context Protocol for TypeScript, over HTTP with a key
// and over standard input and output in an installation of its own.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const { base, key, site, work } = process.env;
const check = (good, what) => { if (!good) throw new Error(what); };

async function agent(name, transport, add) {
  const client = new Client({ name: "interop", version: "1" });
  await client.connect(transport);
  const call = async (tool, args) => {
    const answer = await client.callTool({ name: tool, arguments: args });
    check(!answer.isError, `${name}: ${tool}: ${JSON.stringify(answer.content)}`);
    return answer.structuredContent;
  };
  const tools = (await client.listTools()).tools.map((t) => t.name);
  for (const wanted of ["add_site", "get_site", "choose_reading", "search_entities", "entity_history", "list_changes", "get_entity", "extract_page", "test_blueprint"])
    check(tools.includes(wanted), `${name}: no tool ${wanted}`);
  let at = await add(call);
  for (let n = 0; n < 8 && !at.last_check_at; n++) {
    at = at.readings ? await call("choose_reading", { candidate_id: at.candidate_id, reading: 1 }) : await call("get_site", { id: at.candidate_id ?? at.watch_id, wait_seconds: 30 });
  }
  check(at.watch_id && at.feeds.length > 3, `${name}: it has no feed: ${JSON.stringify(at)}`);
  const { entities } = await call("search_entities", { watch_id: at.watch_id });
  check(entities.length > 2, `${name}: ${entities.length} entities`);
  const field = Object.keys(entities[0].fields)[0];
  const why = await call("get_entity", { entity_id: entities[0].id, field });
  check(why.evidence[field].rule && why.page.url, `${name}: no evidence: ${JSON.stringify(why)}`);
  check((await call("entity_history", { entity_id: entities[0].id })).changes.length > 0, `${name}: no history`);
  check((await call("list_changes", { watch_id: at.watch_id })).next > 0, `${name}: no changes`);
  check((await call("test_blueprint", { blueprint_id: at.blueprint_id })).fit === "fits", `${name}: the blueprint does not fit`);
  check((await call("extract_page", { url: site, kind: "event" })).count > 2, `${name}: nothing on the page`);
  const { resources } = await client.listResources();
  check(resources.some((r) => r.uri === at.resource), `${name}: no resource ${at.resource}`);
  const { contents } = await client.readResource({ uri: at.resource.replace(".jsonl", ".csv") });
  check(contents[0].text.split("\n").length > 2, `${name}: the feed is empty`);
  const wrong = await client.callTool({ name: "add_site", arguments: { url: "http://127.0.0.1:1/" } });
  check(wrong.isError || wrong.structuredContent.status !== "deployed", `${name}: a forbidden port was taken`);
  await client.close();
  return `${entities.length} entities by ${name}`;
}

const http = new StreamableHTTPClientTransport(new URL(base + "/mcp"), { requestInit: { headers: { Authorization: `Bearer ${key}` } } });
const stdio = new StdioClientTransport({ command: "curlew", args: ["mcp", "--data", `${work}/agent`], env: process.env, stderr: "inherit" });
const said = [await agent("HTTP", http, (call) => call("add_site", { url: site })),
  await agent("stdio", stdio, (call) => call("add_site", { url: site, wait_seconds: 50 }))];
await fetch(base + "/mcp", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }).then((r) => check(r.status === 401, `without a key: ${r.status}`));
console.log(said.join(", "));
