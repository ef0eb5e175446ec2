// The published price list: what it would change is shown, what it changes is asked about, and own
// prices and requests that have begun keep theirs.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { entryOf } from "../../harness/entries.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { startPriceStand } from "./stand.ts";

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 800 },
};
const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes.", usage))));
const listed = "gemini-2.5-flash";
const fresh = "gpt-5.4";

const stand = useStand(() => startPriceStand());
setDefaultTimeout(180_000);

beforeAll(async () => {
  const models = [listed, fresh, "gpt-5-nano", "nobody-sells-it"];
  await stand.gateway.control("POST", "/api/channel", vendor.channel({ name: "near", models }));
  await stand.addFar("far", "https://api.groq.com/openai/v1", ["llama-3.3-70b-versatile"]);
  const own = ["--input", "$9", "--output", "$9"];
  await stand.sluice("price", "set", "gpt-5-nano", ...own);
});

interface Change {
  model: string;
  kind: string;
  vendor: string | null;
  by: string | null;
  after: Record<string, unknown> | null;
}

async function proposed(): Promise<Map<string, Change>> {
  const sync = await stand.gateway.control<{ changes: Change[] }>("GET", "/api/price/sync");
  return new Map(sync.changes.map((change) => [change.model, change]));
}

async function ask(model: string, fields: object = {}) {
  const prompt = { messages: [{ role: "user", content: "word ".repeat(1000) }] };
  const body = { ...chatBody(model), ...prompt, ...fields };
  return await stand.gateway.post("/v1/chat/completions", body);
}

async function snapshotOf(requestId: string): Promise<string> {
  return (await entryOf(stand.gateway, requestId)).price ?? "";
}

describe("before it is taken over", () => {
  test("N18 the list is compared by the vendor's address, or else by the model's name", async () => {
    const changes = await proposed();
    expect(changes.get(fresh)).toMatchObject({
      kind: "new",
      vendor: "openai",
      by: "name",
      after: {
        input_micros_per_million: 2_500_000,
        output_micros_per_million: 15_000_000,
        long_context: { above_tokens: 271_999, input_percent: 200, output_percent: 150 },
        tool_micros: { web_search: 10_000, file_search: 2_500 },
      },
    });
    expect(changes.get("llama-3.3-70b-versatile")).toMatchObject({ vendor: "groq", by: "address" });
    expect(changes.get("gpt-5-nano")).toMatchObject({ kind: "own" });
    expect(changes.get("nobody-sells-it")).toMatchObject({ kind: "unlisted", after: null });
  });

  test("N18 a diff is shown, and nothing changes without a word", async () => {
    const shown = await stand.sluice("price", "sync", "--dry-run");
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/gpt-5\.4 +new +openai \(by name\) +\$2\.50 +\$15\.00/);
    expect(shown.out).toMatch(/gpt-5-nano +own +openai \(by name\) +\$9\.00 \(listed \$0\.05\)/);
    const refused = await stand.sluice("price", "sync");
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("nothing was changed");
    expect(refused.error).toContain("--yes");
    expect((await ask(fresh)).status).toBe(503);
  });
});

test("N18 taken over it holds at once, own prices stay, and a record keeps its snapshot", async () => {
  const catalogued = { input_micros_per_million: 300_000, output_micros_per_million: 2_500_000 };
  const cached = { ...catalogued, cache_read_micros_per_million: 75_000 };
  await stand.gateway.control("POST", "/api/price", { model: listed, ...cached });
  const early = (await ask(listed)).headers.get("x-request-id") ?? "";
  await entryOf(stand.gateway, early);
  const snapshot = await snapshotOf(early);
  expect(snapshot).toStartWith("300000/2500000/75000/");
  await stand.gateway.control("DELETE", `/api/price?model=${listed}`);
  const applied = await stand.sluice("price", "sync", "--yes");
  expect(applied).toMatchObject({ code: 0, error: "" });
  const late = (await ask(listed)).headers.get("x-request-id") ?? "";
  await entryOf(stand.gateway, late);
  expect(await snapshotOf(late)).toStartWith("300000/2500000/30000/");
  expect(await snapshotOf(early)).toBe(snapshot);
  const priced = (await ask(fresh)).headers.get("x-request-id") ?? "";
  const { micros } = await entryOf(stand.gateway, priced);
  expect(micros).toBe(200 * 2.5 + 800 * 0.25 + 100 * 15);
  const owned = (await ask("gpt-5-nano")).headers.get("x-request-id") ?? "";
  expect((await entryOf(stand.gateway, owned)).micros).toBe(1100 * 9);
  expect((await proposed()).get(fresh)).toMatchObject({ kind: "same" });
});

describe("a model of the list", () => {
  test("N18 is shown with its name and window", async () => {
    const models = await stand.gateway.get("/v1beta/models");
    const { models: all } = (await models.json()) as { models: Record<string, unknown>[] };
    expect(all.find(({ name }) => name === `models/${fresh}`)).toMatchObject({
      displayName: "GPT-5.4",
      inputTokenLimit: 1_050_000,
    });
  });

  test("N18 can answer no more than its window, so no more is held", async () => {
    const { key } = await stand.gateway.customer(40_000_000);
    const body = chatBody(fresh, { max_tokens: 90_000_000 });
    const response = await stand.gateway.post("/v1/chat/completions", body, key);
    expect(response.status).toBe(200);
  });
});
