// Money on the command line: dollars with their sign, micros for programs, and a question before a
// model is given away.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { entryOf } from "../../harness/entries.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { startPriceStand } from "./stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.json(completion("Yes."))));

const stand = useStand(() => startPriceStand());
setDefaultTimeout(180_000);

beforeAll(async () => {
  const channel = vendor.channel({ name: "main", models: ["m", "gpt-5"] });
  await stand.gateway.control("POST", "/api/channel", channel);
});

describe("a price in dollars", () => {
  test("N18 is for a million tokens, is said back with its unit, and is what is charged", async () => {
    const set = await stand.sluice("price", "set", "m", "--input", "$2", "--output", "$8.50");
    expect(set).toMatchObject({ code: 0, error: "" });
    expect(set.out).toContain("$2.00 for a million prompt tokens, $8.50 for a million output");
    expect(await stand.ownPrice("m")).toMatchObject({
      input_micros_per_million: 2_000_000,
      output_micros_per_million: 8_500_000,
    });
    const listed = await stand.sluice("price", "list", "--own");
    expect(listed.out).toMatch(/MODEL +INPUT\/M +OUTPUT\/M/);
    expect(listed.out).toMatch(/m +\$2\.00 +\$8\.50/);
    const response = await stand.gateway.post("/v1/chat/completions", chatBody("m"));
    const entry = await entryOf(stand.gateway, response.headers.get("x-request-id") ?? "");
    expect(entry.micros).toBe(10 * 2 + 20 * 8.5);
  });

  test("N18 may name tiers, longer input and hosted tools", async () => {
    const words = ["--input", "$2", "--output", "$8", "--tool", "web_search=$0.01"];
    const more = ["--tier", "service_tier.priority=200/175", "--long-context", "200000=200/150"];
    expect((await stand.sluice("price", "set", "m", ...words, ...more)).code).toBe(0);
    expect(await stand.ownPrice("m")).toMatchObject({
      tool_micros: { web_search: 10_000 },
      factors: { "service_tier.priority": { input_percent: 200, output_percent: 175 } },
      long_context: { above_tokens: 200_000, input_percent: 200, output_percent: 150 },
    });
  });

  test("Q2 may be lower for a tier that is served later, and is where the vendor gave it", async () => {
    const words = ["--input", "$2", "--output", "$8", "--tier", "service_tier.flex=50/50"];
    await stand.sluice("price", "set", "m", ...words);
    const costOf = async (given: object) => {
      vendor.script = (_request, reply) => reply.json({ ...completion("Yes."), ...given });
      const body = chatBody("m", { service_tier: "flex", max_tokens: 20 });
      const response = await stand.gateway.post("/v1/chat/completions", body);
      return await entryOf(stand.gateway, response.headers.get("x-request-id") ?? "");
    };
    const full = 10 * 2 + 20 * 8;
    expect(await costOf({ service_tier: "flex" })).toMatchObject({ micros: full / 2 });
    const plain = await costOf({ service_tier: "default" });
    expect(plain).toMatchObject({ micros: full, loss_micros: 0 });
    expect(plain.held_micros).toBeGreaterThanOrEqual(full);
    expect(await costOf({})).toMatchObject({ micros: full });
  });

  test("N18 without its sign is refused where it cannot be micros", async () => {
    const { code, error } = await stand.sluice("price", "set", "m", "--input", "0.25");
    expect(code).toBe(1);
    expect(error).toContain("dollars in quotes such as '$2.50', or whole micros");
    expect(error).toContain("Did you mean '$0.25'?");
  });
});

describe("a price below any known one", () => {
  test("N18 keeps the parts that are not named, and says so", async () => {
    const cached = ["--input", "$2", "--output", "$8", "--cache-read", "$0.50"];
    await stand.sluice("price", "set", "m", ...cached, "--replace");
    const set = await stand.sluice("price", "set", "m", "--input", "$3", "--output", "$9");
    expect(set.out).toContain("$3.00 for a million prompt tokens, $9.00 for a million output");
    expect(set.out).toContain("kept as it was: --cache-read $0.50 (--replace drops what is not");
    expect(await stand.ownPrice("m")).toMatchObject({
      input_micros_per_million: 3_000_000,
      cache_read_micros_per_million: 500_000,
    });
    const replaced = ["price", "set", "m", "--input", "$3", "--output", "$9", "--replace"];
    expect((await stand.sluice(...replaced)).out).not.toContain("kept");
    expect(await stand.ownPrice("m")).not.toHaveProperty("cache_read_micros_per_million");
  });

  test("N18 keeps the cache price of the catalogue for a model that had no own price", async () => {
    const set = await stand.sluice("price", "set", "chatA", "--input", "$2", "--output", "$12");
    expect(set.out).toContain("--cache-read $0.125");
    expect(await stand.ownPrice("chatA")).toMatchObject({ cache_read_micros_per_million: 125_000 });
  });

  test("N18 is refused where nobody can be asked, with what to do, and set with --yes", async () => {
    const before = await stand.ownPrice("m");
    const words = ["price", "set", "m", "--input", "$0.000002", "--output", "$0.000008"];
    const refused = await stand.sluice(...words);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain("m would cost $0.000002 for a million prompt tokens, below $");
    expect(refused.error).toContain("two dollars are '$2'");
    expect(refused.error).toContain("--yes");
    expect(await stand.ownPrice("m")).toEqual(before);
    expect((await stand.sluice(...words, "--yes")).code).toBe(0);
    expect(await stand.ownPrice("m")).toMatchObject({ input_micros_per_million: 2 });
  });

  test("N18 is that of the model itself where somebody sells it", async () => {
    const words = ["price", "set", "gpt-5", "--input", "$0.50", "--output", "$10"];
    const { code, error } = await stand.sluice(...words);
    expect(code).toBe(1);
    expect(error).toContain("$0.50 for a million prompt tokens, below $1.25, the lowest known");
    expect(await stand.ownPrice("gpt-5")).toBeUndefined();
  });
});

test("N17 quotas and credits are taken in dollars and in micros", async () => {
  const made = await stand.sluice("user", "create", "alice", "--quota", "$10", "--json");
  expect(JSON.parse(made.out)).toMatchObject({ quota_micros: 10_000_000 });
  const booked = await stand.sluice("user", "credit", "alice", "$2.50", "--reason", "a gift");
  expect(booked.out).toBe("booked $2.50; alice has $12.50\n");
  const taken = await stand.sluice("user", "credit", "alice", "$-2.50", "--reason", "taken back");
  expect(taken.out).toBe("booked -$2.50; alice has $10.00\n");
  const micros = await stand.sluice("user", "credit", "alice", "500000", "--reason", "a gift");
  expect(micros.out).toBe("booked $0.50; alice has $10.50\n");
  const key = await stand.sluice("key", "create", "k", "--quota", "$5", "--json");
  expect(JSON.parse(key.out)).toMatchObject({ quota_micros: 5_000_000 });
});

describe("money that is typed", () => {
  const commands = [
    ["user", "create", "dave", "--quota", "10"],
    ["user", "credit", "root", "10", "--reason", "gift"],
    ["user", "credit", "root", "-10", "--reason", "back"],
    ["key", "create", "tiny", "--quota", "5"],
    ["budget", "create", "month", "--account", "root", "--limit", "100"],
    ["price", "set", "m", "--call", "9999", "--yes"],
    ["settings", "set", "accounts.starting_credit_micros", "5"],
  ];

  test.each(commands.map((words) => [words.join(" "), words] as const))(
    "N17 without a $ is refused where it is less than a cent: %s",
    async (_name, words) => {
      const { code, error, out } = await stand.sluice(...words);
      const [bare = ""] = words.filter((word) => /^-?\d+$/.test(word));
      expect([code, out]).toEqual([1, ""]);
      expect(error).toContain(`Did you mean '$${bare}'?`);
    },
  );

  test("N17 is said back with what was made or changed", async () => {
    const made = await stand.sluice("user", "create", "erin", "--quota", "$10");
    expect(made.out).toContain("quota: $10.00\n");
    const key = await stand.sluice("key", "create", "spoken", "--quota", "50000");
    expect(key.out).toContain("quota: $0.05\n");
    const words = ["--account", "erin", "--limit", "$100"];
    expect((await stand.sluice("budget", "create", "monthly", ...words)).out).toContain(
      "limit: $100.00\n",
    );
    const edited = await stand.sluice("budget", "edit", "monthly", "--limit", "$150");
    expect(edited.out).toContain("limit: $150.00\n");
    const starting = ["settings", "set", "accounts.starting_credit_micros", "$5"];
    expect((await stand.sluice(...starting)).out).toContain("5000000 ($5.00)");
    expect((await stand.sluice("user", "create", "free", "--quota", "0")).out).toContain(
      "quota: $0.00\n",
    );
  });
});
