// Trace of a request, and its money: what the id of an answer leads to.
import { beforeAll, expect, test } from "bun:test";
import { as, newPerson, type Person } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { completion, delta, usageChunk, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

interface Candidate {
  channel: string;
  priority: number;
  weight: number;
  in_flight: number;
  state: string;
  reason: string;
}
interface Trace {
  admitted_ms: number | null;
  hold_written_ms: number | null;
  settled_ms: number;
  upstream_format: string | null;
  ignored: string[];
  money: {
    kind: string;
    held_micros: number;
    charged_micros: number;
    given_back_micros: number;
    loss_micros?: number;
    price: string | null;
  } | null;
  candidates?: Candidate[];
}
interface Item {
  micros: number;
  format: string;
  first_byte_ms: number | null;
  tries: { channel?: string; vendor_request_id?: string | null }[];
  trace: Trace;
}

const bad = kept(
  new Vendor((_request, reply) =>
    reply.json({ error: { message: "no" } }, 500, { "x-request-id": "vendor-77" }),
  ),
);
const good = kept(
  new Vendor((request, reply) => {
    if (request.body["stream"] !== true) return reply.json(completion("Yes."));
    reply.stream();
    for (const event of [delta({ content: "Yes." }), usageChunk(), "[DONE]"]) reply.event(event);
    reply.end();
  }),
);
let person: Person;

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
    [bad, "bad", 10, ["m", "broken", "twins"]],
    [good, "good", 5, ["m", "plain"]],
    [good, "spare", 0, ["m"]],
    [good, "first", 3, ["twins"]],
    [good, "second", 3, ["twins"]],
  ] as const) {
    await gateway.control("POST", "/api/channel", vendor.channel({ name, priority, models }));
  }
  for (const model of ["m", "plain", "broken", "twins"]) {
    const price = { model, input_micros_per_million: 1_000_000 };
    await gateway.control("POST", "/api/price", { ...price, output_micros_per_million: 3_000_000 });
  }
  person = await newPerson(gateway, 1_000_000);
});

async function ask(body: object, path = "chat/completions"): Promise<string> {
  const response = await gateway.post(`/v1/${path}`, body, person.key);
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

async function traceOf(id: string, own = false): Promise<Item> {
  const path = own ? `/api/log/self/${id}` : `/api/log/${id}`;
  const { items } = await as<{ items: Item[] }>(gateway, own ? person.token : rootToken, path);
  const [item] = items;
  if (!item) throw new Error(`no row of ${id}`);
  return item;
}

test("where the first choice failed, each candidate is told with the reason", async () => {
  const { tries, trace } = await traceOf(await ask(chatBody("m")));
  expect(tries.map(({ channel, vendor_request_id: id }) => [channel, id])).toEqual([
    ["bad", "vendor-77"],
    ["good", null],
  ]);
  const told = trace.candidates?.map(({ channel, priority, state, reason }) => {
    return [channel, priority, state, reason];
  });
  expect(told).toEqual([
    ["bad", 10, "open", "tried"],
    ["good", 5, "open", "tried"],
    ["spare", 0, "open", "lower priority"],
  ]);
  expect(trace.admitted_ms).toBeGreaterThanOrEqual(0);
  expect(trace.settled_ms).toBeGreaterThanOrEqual(trace.admitted_ms ?? 0);
});

test("a channel of the same priority is not said to have a lower one", async () => {
  const { trace } = await traceOf(await ask(chatBody("twins")));
  const told = trace.candidates?.map(({ priority, reason }) => [priority, reason]) ?? [];
  expect(told.toSorted()).toEqual([
    [10, "tried"],
    [3, "not needed"],
    [3, "tried"],
  ]);
});

test("held, charged and given back are those of the ledger's entry", async () => {
  const { micros, trace } = await traceOf(await ask(chatBody("plain")));
  expect(trace).not.toHaveProperty("candidates");
  expect(trace.money).toMatchObject({ kind: "post", charged_micros: micros, loss_micros: 0 });
  const { held_micros: held = 0, given_back_micros: back } = trace.money ?? {};
  expect(held).toBeGreaterThan(micros);
  expect(back).toBe(held - micros);
  expect(trace.money?.price).toStartWith("1000000/3000000/");
  const lost = await traceOf(await ask(chatBody("broken")));
  expect(lost.trace.money).toMatchObject({ kind: "void", charged_micros: 0 });
  expect(lost.trace.money?.given_back_micros).toBe(lost.trace.money?.held_micros);
  expect(lost.trace.candidates).toMatchObject([{ channel: "bad", reason: "tried" }]);
});

test("both formats are told, with what was left out between them", async () => {
  const plain = await traceOf(await ask(chatBody("plain")));
  expect([plain.format, plain.trace.upstream_format, plain.trace.ignored]).toEqual([
    "chat",
    "chat",
    [],
  ]);
  const body = { ...chatBody("plain"), max_tokens: 9, top_k: 3 };
  const converted = await traceOf(await ask(body, "messages"));
  expect([converted.format, converted.trace.upstream_format]).toEqual(["messages", "chat"]);
  expect(converted.trace.ignored).toContain("top_k");
});

test("of a stream it is told when its hold was written", async () => {
  const item = await traceOf(await ask({ ...chatBody("plain"), stream: true }));
  expect(item.trace.hold_written_ms).toBe(item.first_byte_ms);
});

test("members see their money and formats, and neither candidates nor losses", async () => {
  const { tries, trace } = await traceOf(await ask(chatBody("m")), true);
  expect(trace.money?.charged_micros).toBeGreaterThan(0);
  expect(trace.money).not.toHaveProperty("loss_micros");
  expect(trace).not.toHaveProperty("candidates");
  expect(JSON.stringify(tries)).not.toContain("vendor-77");
});
