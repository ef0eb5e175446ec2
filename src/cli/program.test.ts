import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, type JsonObject } from "../core/json.ts";
import { lockFolder } from "../store/sqlite/lock.ts";
import { createProgram } from "./program.ts";
import type { Actions } from "./serve-program.ts";
import type { Terminal } from "./terminal.ts";

interface Call {
  line: string;
  token: string | null;
  body: JsonObject | null;
}

interface World extends AsyncDisposable {
  folder: string;
  url: string;
  calls: Call[];
  /** Answers by method and path; anything else fails as the gateway would. */
  answers: Map<string, unknown>;
  /** Events by method and path. */
  events: Map<string, readonly object[]>;
  started: string[];
  run(
    line: string,
    options?: { input?: string; environment?: Terminal["environment"] },
  ): Promise<Result>;
}

interface Result {
  out: string;
  error: string;
  hasFailed: boolean;
}

function eventStream(events: readonly object[]): Response {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** A data folder and something that answers like a gateway's control API. */
function openWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "sluice-cli-"));
  const calls: Call[] = [];
  const answers = new Map<string, unknown>();
  const events = new Map<string, readonly object[]>();
  const started: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const body: unknown = text === "" ? null : JSON.parse(text);
      const token = request.headers.get("authorization");
      const line = `${request.method} ${pathname}`;
      calls.push({ line: line + search, token, body: isObject(body) ? body : null });
      const told = events.get(line);
      if (told) return eventStream(told);
      if (!answers.has(line)) return Response.json({ success: false, message: "It is not there." });
      return Response.json({ success: true, message: "", data: answers.get(line) });
    },
  });
  const url = server.url.origin;
  writeFileSync(join(folder, "server.json"), JSON.stringify({ url, token: "sat-local", pid: 1 }));
  writeFileSync(join(folder, "sluice.db"), "");
  const actions: Actions = {
    serve: async ({ SLUICE_DATA: data }) => void started.push(`serve ${data}`),
    async withServer(config, run) {
      started.push(config.dataFolder);
      await run({ url, token: "sat-offline" });
    },
  };
  return {
    folder,
    url,
    calls,
    answers,
    events,
    started,
    async run(line, { input = "", environment = {} } = {}) {
      const result: Result = { out: "", error: "", hasFailed: false };
      const terminal: Terminal = {
        environment: { SLUICE_DATA: folder, ...environment },
        readFile: () => null,
        readInput: async () => input,
        write: (text) => void (result.out += text),
        writeError: (text) => void (result.error += text),
        fail: () => void (result.hasFailed = true),
      };
      await createProgram(actions, terminal).parseAsync(line.split(" "), { from: "user" });
      return result;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const oneKey = {
  items: [{ id: "key_1", name: "laptop", shown: "sk-a…b", quota_micros: 5, used_micros: 0 }],
  total: 1,
};

test("a command talks to the gateway that holds the data folder", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  const lock = lockFolder(world.folder);
  try {
    const { out } = await world.run("key list --account alice");
    expect(out).toContain("laptop");
    expect(world.calls[0]).toMatchObject({
      line: "GET /api/token?account=alice&p=1&page_size=100",
      token: "Bearer sat-local",
    });
    expect(world.started).toEqual([]);
  } finally {
    lock.release();
  }
});

test("without a gateway a command has one of its own", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  await world.run("key list");
  expect(world.started).toEqual([world.folder]);
  expect(world.calls[0]?.token).toBe("Bearer sat-offline");
});

test("a command makes no data folder, and says where to look", async () => {
  await using world = openWorld();
  const nowhere = join(world.folder, "nowhere");
  for (const line of ["key list", "usage", "backup copy"]) {
    const { error, hasFailed } = await world.run(line, { environment: { SLUICE_DATA: nowhere } });
    expect(error).toStartWith(`there is no gateway's data in ${nowhere}: "sluice serve" makes it`);
    expect(hasFailed).toBe(true);
  }
  expect(existsSync(nowhere)).toBe(false);
  expect(world.started).toEqual([]);
});

test("--data names the folder, before the command or behind it, and is sent nowhere", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  world.answers.set("POST /api/token", { id: "key_1", key: "sk-1" });
  const elsewhere = { environment: { SLUICE_DATA: "/nowhere" } };
  await world.run(`--data ${world.folder} key list`, elsewhere);
  await world.run(`key create k --data ${world.folder}`, elsewhere);
  expect(world.started).toEqual([world.folder, world.folder]);
  expect(world.calls.at(-1)?.body).toEqual({ name: "k" });
  await world.run(`serve --data ${world.folder}`, elsewhere);
  expect(world.started.at(-1)).toBe(`serve ${world.folder}`);
});

test("--url leads to a gateway elsewhere, with a token that stands in no address", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  const nowhere = { SLUICE_DATA: "/nowhere" };
  await world.run(`key list --url ${world.url}/ --token -`, {
    environment: nowhere,
    input: "sat-typed\n",
  });
  const byVariables = { ...nowhere, SLUICE_URL: world.url, SLUICE_TOKEN: "sat-variable" };
  await world.run("key list", { environment: byVariables });
  expect(world.calls.map(({ token }) => token)).toEqual([
    "Bearer sat-typed",
    "Bearer sat-variable",
  ]);
  expect(world.started).toEqual([]);
  await world.run(`key list --data ${world.folder}`, { environment: byVariables });
  expect(world.started).toEqual([world.folder]);
  const bare = await world.run("key list", { environment: { SLUICE_URL: world.url } });
  expect(bare.error).toStartWith("a gateway elsewhere needs an access token, in SLUICE_TOKEN");
  const loud = await world.run(`key list --url http://root:sat-1@127.0.0.1 --token sat-1`);
  expect(loud.error).toStartWith("The token can be read in lists of processes");
  expect(loud.error).toContain("--url must hold no credential");
  expect(loud.error).not.toContain("sat-1");
});

test("what works on files refuses a gateway elsewhere", async () => {
  await using world = openWorld();
  const environment = { SLUICE_URL: world.url, SLUICE_TOKEN: "sat-1" };
  for (const line of ["ledger verify", "backup x", "restore x"]) {
    const run = world.run(line, { environment: { ...environment, SLUICE_DATA: undefined } });
    expect((await run.catch((error: Error) => error)) as Error).toHaveProperty(
      "message",
      expect.stringContaining("works on a data folder of this machine"),
    );
  }
});

test("a gateway that cannot be found is told of", async () => {
  await using world = openWorld();
  rmSync(join(world.folder, "server.json"));
  const lock = lockFolder(world.folder);
  try {
    const { error, hasFailed } = await world.run("key list");
    expect(error).toContain("does not say how to reach it");
    expect(hasFailed).toBe(true);
  } finally {
    lock.release();
  }
});

test("a key is made of its options, and programs get JSON", async () => {
  await using world = openWorld();
  const made = { id: "key_1", key: "sk-the-whole-text" };
  world.answers.set("POST /api/token", made);
  const line =
    "key create k --quota $5 --models a,b --models c --expires 2030-01-01T00:00:00Z --concurrency 2";
  expect((await world.run(line)).out).toContain("sk-the-whole-text\n");
  expect(world.calls[0]?.body).toEqual({
    name: "k",
    quota_micros: 5_000_000,
    models: ["a", "b", "c"],
    expires_at: "2030-01-01T00:00:00Z",
    concurrency: 2,
  });
  expect(JSON.parse((await world.run("key create k --json")).out)).toEqual(made);
});

test("a key is rotated by its name, and its new text is shown once", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  world.answers.set("POST /api/token/key_1/rotate", { id: "key_1", key: "sk-new-text" });
  const { out } = await world.run("key rotate laptop --overlap-seconds 3600");
  expect(out).toBe("sk-new-text\n\nThis is key_1. Its text is not shown again.\n");
  expect(world.calls.at(-1)?.body).toEqual({ overlap_seconds: 3600 });
});

test("options are the fields of the call: their kinds, choices and names", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  world.answers.set("PATCH /api/token/key_1", {});
  const line = "key edit laptop --status disabled --quota $2.50 --no-log-content --clear expires";
  expect((await world.run(line)).out).toBe(
    "changed status, quota_micros, log_content, expires_at\nquota: $2.50\n",
  );
  expect(world.calls.at(-1)?.body).toEqual({
    status: "disabled",
    quota_micros: 2_500_000,
    log_content: false,
    expires_at: null,
  });
  await world.run("key list --search lap --sort -used_micros --limit 5");
  expect(world.calls.at(-1)?.line).toBe("GET /api/token?q=lap&sort=-used_micros&p=1&page_size=5");
});

test("a note on a model is set, listed and removed", async () => {
  await using world = openWorld();
  const note = { model: "m", note: "Good at sums.", updated_at: 1_790_000_000 };
  world.answers.set("POST /api/model-note", note);
  world.answers.set("GET /api/model-note", { items: [note], total: 1 });
  world.answers.set("DELETE /api/model-note", { model: "m" });
  expect((await world.run("note set m good")).out).toBe("set the note on m\n");
  expect(world.calls.at(-1)?.body).toEqual({ model: "m", note: "good" });
  expect((await world.run("note list")).out).toMatch(
    /^MODEL +NOTE +UPDATED\nm +Good at sums\. +2026/,
  );
  expect((await world.run("note remove m")).out).toBe("removed the note on m\n");
  expect(world.calls.at(-1)?.line).toBe("DELETE /api/model-note?model=m");
});

test("a key is revoked by its name only where no other has it", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/token", oneKey);
  world.answers.set("DELETE /api/token/key_1", { id: "key_1" });
  expect((await world.run("key revoke laptop")).out).toBe("revoked key_1\n");
  const twice = { items: [...oneKey.items, { id: "key_2", name: "laptop" }], total: 2 };
  world.answers.set("GET /api/token", twice);
  const { error, hasFailed } = await world.run("key revoke laptop");
  expect(error).toBe("there are several called laptop; name one by its id: key_1, key_2\n");
  expect(hasFailed).toBe(true);
  expect((await world.run("key revoke phone")).error).toBe("there is none called phone\n");
});

test("a channel is added with a key from the standard input", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/channel/presets", { items: [] });
  world.answers.set("POST /api/channel", { id: "chn_1" });
  const line =
    "channel add main --url https://v.test --key - --models m --map m=m-1 --header X-A=b=c";
  expect((await world.run(line, { input: "vendor-secret\n" })).out).toBe("added main (chn_1)\n");
  expect(world.calls[1]?.body).toEqual({
    name: "main",
    type: "openai",
    base_url: "https://v.test",
    key: "vendor-secret",
    models: ["m"],
    model_mapping: { m: "m-1" },
    headers: { "X-A": "b=c" },
  });
});

test("a refusal that is not about models says nothing of models", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/channel/presets", { items: [] });
  const { error } = await world.run("channel add foo --url http://127.0.0.1:9/ --key k");
  expect(error).toBe("It is not there.\n");
});

test("a channel's test that fails fails the command", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/channel", { items: [{ id: "chn_1", name: "main" }], total: 1 });
  const result = { ok: false, status: 401, latency_ms: 7, message: "no" };
  const ends = (end: object) =>
    world.events.set("POST /api/channel/chn_1/test", [
      { step: "unlisted", ms: 3, message: "no list" },
      { step: "done", ms: 7, ...end },
    ]);
  ends({ result });
  const { out, hasFailed } = await world.run("channel test main --model m");
  expect(out).toBe("     3 ms  no list of models: no list\nfailed: status 401 after 7 ms: no\n");
  expect(hasFailed).toBe(true);
  expect(world.calls[1]?.line).toBe("POST /api/channel/chn_1/test?stream=1");
  expect(world.calls[1]?.body).toEqual({ model: "m" });
  const silent = { ...result, status: null, message: "v.test: The upstream could not be reached." };
  ends({ result: silent });
  expect((await world.run("channel test main")).out).toEndWith(
    "failed: no answer after 7 ms: v.test: The upstream could not be reached.\n",
  );
});

test("an account is credited by its name, also downwards", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/user", { items: [{ id: "acc_1", username: "alice" }], total: 1 });
  world.answers.set("POST /api/user/acc_1/credit", { micros: -250, quota_micros: 750 });
  const { out } = await world.run("user credit alice $-0.00025 --reason refund --id r-1");
  expect(out).toBe("booked -$0.00025; alice has $0.00075\n");
  expect(world.calls[1]?.body).toEqual({ micros: -250, reason: "refund", id: "r-1" });
  const before = { micros: 2_500_000, repeated: true, booked_at: 1_790_000_000, quota_micros: 750 };
  world.answers.set("POST /api/user/acc_1/credit", before);
  expect((await world.run("user credit alice $2.50 --reason again --id r-2")).out).toBe(
    "$2.50 was booked before, on 2026-09-21T14:13:20Z, and not again; alice has $0.00075\n",
  );
});

test("an account without a password gets one, shown once", async () => {
  await using world = openWorld();
  world.answers.set("POST /api/user", { id: "acc_1" });
  const { out } = await world.run("user create alice --quota $5");
  const password = String(world.calls[0]?.body?.["password"]);
  expect(password).toHaveLength(24);
  expect(out).toContain(password);
  const { out: quiet } = await world.run("user create bob --password -", {
    input: "from a file\n",
  });
  expect(world.calls[1]?.body?.["password"]).toBe("from a file");
  expect(quiet).not.toContain("from a file");
});

test("the sum of usage is called all, also beside a row without a channel", async () => {
  await using world = openWorld();
  const measured = { requests: 1, failures: 0, micros: 5 };
  const items = [{ channel: null, channel_id: "", ...measured }];
  world.answers.set("GET /api/usage", { items, total: 1, sum: measured, from: "a", to: "b" });
  const lines = (await world.run("usage --by channel")).out.trim().split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["CHANNEL", "-", "all"]);
});

test("prices are not compared where nothing is served, and that is said", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/price/sync", { list: "a list", changes: [] });
  const { out } = await world.run("price sync");
  expect(out).toBe("no channel serves anything yet: sluice channel add\n");
  expect((await world.run("price sync --models m --dry-run")).out).toContain("a list: 0 models");
});

test("usage is summed up by what is asked for, as a table or as comma-separated values", async () => {
  await using world = openWorld();
  const items = [{ account: "alice", requests: 2, failures: 0, micros: 1500 }];
  const sum = { requests: 2, failures: 0, micros: 1500 };
  world.answers.set("GET /api/usage", { items, total: 1, sum, from: "a", to: "b" });
  world.answers.set("GET /api/token", oneKey);
  const line = "usage --by account --from 2026-11-01 --key laptop --channel main";
  const { out } = await world.run(line);
  expect(out).toMatch(/^ACCOUNT +REQUESTS .*COST\nalice +2 .*\$0\.0015\nall +2 .*\$0\.0015\n$/);
  expect(world.calls[1]?.line).toBe(
    "GET /api/usage?by=account&from=2026-11-01&key=key_1&channel=main&p=1&page_size=100",
  );
  expect((await world.run("usage --csv")).out).toBe(
    "account,requests,failures,micros\r\nalice,2,0,1500\r\n",
  );
});

test("a group is changed in what is named and keeps the rest", async () => {
  await using world = openWorld();
  const group = { name: "g", multiplier: 2, concurrency: 4, requests_per_minute: 9 };
  const shown = { ...group, tokens_per_minute: null, declared: false };
  world.answers.set("GET /api/group", { items: [shown], total: 1 });
  world.answers.set("POST /api/group", shown);
  await world.run("group set g --multiplier 0.5 --clear requests-per-minute");
  expect(world.calls.at(-1)?.body).toEqual({ name: "g", multiplier: 0.5, concurrency: 4 });
});

test("a virtual model is set as a whole, with what is said of each member", async () => {
  await using world = openWorld();
  world.answers.set("POST /api/virtual-model", { name: "best" });
  await world.run("model set best --member a --member b --hidden");
  expect(world.calls.at(-1)?.body).toEqual({
    name: "best",
    members: [{ model: "a" }, { model: "b" }],
    hidden: true,
  });
});

test("a channel is edited by its name, and only in what is named", async () => {
  await using world = openWorld();
  const channel = { id: "chn_1", name: "main", models: ["a", "b"], keys: [] };
  world.answers.set("GET /api/channel", { items: [channel], total: 1 });
  world.answers.set("PATCH /api/channel/chn_1", channel);
  const body = async (line: string, input = "") => {
    const { error } = await world.run(line, { input });
    return error || world.calls.at(-1)?.body;
  };
  expect(await body("channel edit main --priority 5 --no-http2 --clear proxy,url")).toEqual({
    priority: 5,
    http2: false,
    proxy: null,
    base_url: null,
  });
  expect(await body("channel edit main --add-models c --remove-models a")).toEqual({
    models: ["b", "c"],
  });
  const moved = "channel edit chn_1 --url https://v.test --key -";
  expect(await body(moved, "new-secret\n")).toEqual({
    base_url: "https://v.test",
    key: "new-secret",
  });
  expect(await body("channel disable main")).toEqual({ status: "disabled" });
  expect(await body("channel enable main")).toEqual({ status: "enabled" });
  expect(await body("channel keys main --set -", "one\n\ntwo\n")).toEqual({ keys: ["one", "two"] });
  expect(await body("channel edit main")).toBe("say what to change: --help lists it\n");
});

test("any route of the control plane can be called", async () => {
  await using world = openWorld();
  world.answers.set("POST /api/invitation", { id: "inv_1" });
  const { out } = await world.run("api post /api/invitation -", { input: '{"uses":2}' });
  expect(JSON.parse(out)).toEqual({ id: "inv_1" });
  expect(world.calls[0]?.body).toEqual({ uses: 2 });
});

test("every command is completed in every shell", async () => {
  await using world = openWorld();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await world.run(`completion ${shell}`);
    for (const word of ["/channel/edit", "--first-byte-ms", "usage", "/log/tail", "--follow"]) {
      expect(out).toContain(word);
    }
  }
  const { out } = await world.run("completion bash");
  const complete = (words: string) => {
    const all = words.split(" ");
    const script = `${out}\nCOMP_WORDS=(${all.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${all.length - 1}; _sluice; echo "\${COMPREPLY[@]}"`;
    return Bun.spawnSync(["bash", "-c", script]).stdout.toString().trim().split(" ");
  };
  expect(complete("sluice cha")).toEqual(["channel"]);
  expect(complete("sluice channel e")).toEqual(["edit", "enable"]);
  expect(complete("sluice channel edit main --prio")).toEqual(["--priority"]);
  expect(complete("sluice --data x log t")).toEqual(["tail"]);
});

test("what the gateway refuses is said in a line, without a trace", async () => {
  await using world = openWorld();
  const { out, error, hasFailed } = await world.run("price set m --call $5");
  expect({ out, error, hasFailed }).toEqual({
    out: "",
    error: "It is not there.\n",
    hasFailed: true,
  });
});

test("a list of many pages is read to its end", async () => {
  await using world = openWorld();
  world.answers.set("GET /api/price", { items: [{ model: "m", source: "own" }], total: 3 });
  const { out } = await world.run("price list --own --json");
  expect(JSON.parse(out)).toHaveLength(3);
  expect(world.calls.map(({ line }) => line.replace(/.*\?/, ""))).toEqual([
    "source=own&p=1&page_size=100",
    "source=own&p=2&page_size=100",
    "source=own&p=3&page_size=100",
  ]);
});

test("the configuration is checked and printed without its secrets", async () => {
  await using world = openWorld();
  expect((await world.run("config check")).out).toBe("ok\n");
  const wrong = await world.run("config check", { environment: { PORT: "x" } });
  expect(wrong.out).toStartWith("environment PORT ");
  expect(wrong.hasFailed).toBe(true);
  const environment = { SLUICE_SECRET: "canary-1", SLUICE_ROOT_PASSWORD: "canary-2" };
  const { out, error } = await world.run("config print", { environment });
  expect(out).not.toContain("canary");
  expect(error).toStartWith("This is of this command's own environment and file.");
  expect(JSON.parse(out)).toMatchObject({ server: { body_ms: 300_000 }, keys: [] });
  expect(JSON.parse((await world.run("config schema")).out)["type"]).toBe("object");
});

test("a book that is not there is told of", async () => {
  await using world = openWorld();
  rmSync(join(world.folder, "sluice.db"));
  const { error, hasFailed } = await world.run("ledger verify");
  expect(error).toStartWith("there is no database at ");
  expect(hasFailed).toBe(true);
});

test("every command has a description and an example", () => {
  const program = createProgram({ serve: async () => {}, withServer: async () => {} });
  const leaves = program.commands.flatMap((command) =>
    command.commands.length > 0 ? command.commands : [command],
  );
  expect(leaves.length).toBeGreaterThan(60);
  for (const command of leaves) {
    let help = "";
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    expect(command.description()).not.toBe("");
    expect(help).toContain("Examples:\n  $ ");
  }
});
