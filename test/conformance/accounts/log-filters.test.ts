// The usage log by how requests ended and how they were asked, with what all of them come to, and
// as files.
import { beforeAll, expect, test } from "bun:test";
import { as, newPerson, refusedField, rowsOf, type Person } from "../../harness/accounts/usage.ts";
import type { LogAnswer } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const bad = kept(new Vendor((_request, reply) => reply.json({ error: { message: "no" } }, 500)));
const good = kept(
  new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    for (const event of [delta({ content: "Yes." }), usageChunk(), "[DONE]"]) reply.event(event);
    reply.end();
  }),
);
let one: Person;
let other: Person;
const evil = '=HYPERLINK("http://x")';

const gateway = useStand(() =>
  startGateway({
    config: `
sandbox: "off"
log: { level: error }
distribution: { failures_to_eject: 1000, retry_budget_percent: 100 }
`,
  }),
);

beforeAll(async () => {
  for (const [vendor, name, priority, models] of [
    [bad, "bad", 10, ["n", "broken"]],
    [good, "good", 0, ["m", "n"]],
  ] as const) {
    await gateway.control("POST", "/api/channel", vendor.channel({ name, priority, models }));
  }
  for (const model of ["m", "n", "broken"]) {
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  }
  one = await newPerson(gateway, 1_000_000);
  other = await newPerson(gateway, 1_000_000);
  for (const [person, path, body] of [
    [one, "chat/completions", chatBody("m")],
    [one, "chat/completions", { ...chatBody("m"), stream: true }],
    [one, "messages", { ...chatBody("n"), max_tokens: 9 }],
    [other, "chat/completions", chatBody("broken")],
    [other, "chat/completions", chatBody(evil)],
  ] as const) {
    await (await gateway.post(`/v1/${path}`, body, person.key)).text();
  }
  await rowsOf(gateway, "", 5);
});

const list = (query: string) => as<LogAnswer>(gateway, rootToken, `/api/log?${query}`);

async function csv(
  path: string,
  token = rootToken,
): Promise<{ lines: string[]; headers: Headers }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(gateway.url + path, { headers });
  const lines = (await response.text()).trimEnd().split("\r\n");
  return { lines, headers: response.headers };
}

test("each filter finds its rows, and the sum is that of the rows", async () => {
  for (const [query, models] of [
    ["outcome=ok", ["n", "m", "m"]],
    ["outcome=upstream_error", ["broken"]],
    ["failed=true", [evil, "broken"]],
    ["failed=false", ["n", "m", "m"]],
    ["format=messages", ["n"]],
    ["format=chat&failed=false", ["m", "m"]],
    ["error_code=model_not_found", [evil]],
    ["group=default", [evil, "broken", "n", "m", "m"]],
    ["group=elsewhere", []],
    ["stream=true", ["m"]],
    ["stream=false&failed=false", ["n", "m"]],
    ["attempts_min=2", ["n"]],
    ["latency_min=600000", []],
    ["micros_min=1", ["n", "m", "m"]],
  ] as const) {
    const { items, sum } = await list(query);
    expect([query, items.map(({ model }) => model)]).toEqual([query, [...models]]);
    const micros = items.reduce((all, row) => all + row.micros, 0);
    expect(sum).toMatchObject({ requests: items.length, micros, is_exact: true });
  }
  for (const name of ["outcome", "failed", "stream", "attempts_min", "latency_min", "micros_min"]) {
    expect(await refusedField(gateway, rootToken, `/api/log?${name}=perhaps`)).toBe(name);
  }
});

test("the log is a file of just what was filtered, in which no text is a formula", async () => {
  const { lines, headers } = await csv("/api/log.csv?failed=true");
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toBe('attachment; filename="sluice-log.csv"');
  const [names = "", ...rows] = lines;
  expect(rows).toHaveLength(2);
  expect(names.split(",")).toEqual(
    expect.arrayContaining(["time", "account", "channel", "micros"]),
  );
  for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,req_/);
  expect(rows[0]).toContain(`,"'=HYPERLINK(""http://x"")",`);
});

test("members have files of their own alone, without channels", async () => {
  const { lines } = await csv("/api/log/self.csv", one.token);
  expect(lines).toHaveLength(4);
  expect(lines[0]).not.toContain("channel");
  expect(lines.join()).not.toContain(other.keyId);
  const usage = await csv("/api/usage/self.csv?by=model", one.token);
  expect(usage.lines[0]).toEndWith(",model");
  expect(usage.lines.slice(1).map((line) => line.split(",").at(-1))).toEqual(["m", "n"]);
  for (const path of ["/api/log.csv", "/api/usage.csv", "/api/audit.csv"]) {
    const refused = await gateway.controlEnvelope("GET", path, undefined, one.token);
    expect(refused).toMatchObject({ success: false, code: "permission_denied" });
  }
});

test("sums and the audit log are files too, and a wrong filter is refused before the first line", async () => {
  const usage = await csv("/api/usage.csv?by=account");
  expect(usage.lines.slice(1).join()).toContain(one.username);
  const audit = await csv("/api/audit.csv?action=channel.create");
  expect(audit.lines).toHaveLength(3);
  expect(audit.lines[0]).toContain("action,target_kind");
  expect(await refusedField(gateway, rootToken, "/api/log.csv?from=soon")).toBe("from");
  expect(await refusedField(gateway, rootToken, "/api/usage.csv?p=2")).toBe("p");
});
