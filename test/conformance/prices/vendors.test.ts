// Channels by the name of a vendor: what is known of it, which models it has, what they cost, and
// what a test of it finds.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { complete, completion, Vendor, type VendorScript } from "../../harness/vendor.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { presets } from "../../../src/upstreams/presets.ts";
import { startPriceStand } from "./stand.ts";

const stand = useStand(() => startPriceStand());
setDefaultTimeout(180_000);

/** Lists these models and answers every chat. */
function sells(...names: string[]): VendorScript {
  return ({ path }, reply) => {
    if (!path.endsWith("/models")) return reply.json(completion("pong"));
    reply.json({ object: "list", data: names.map((id) => ({ id, object: "model" })) });
  };
}

const here = (vendor: Vendor) => ["--url", `${vendor.url}/v1`, "--allow-private", "--key", "-"];

describe("a known vendor", () => {
  test("N17 is added by its name and key, with its models and their prices", async () => {
    using vendor = new Vendor(sells("deepseek-chat", "deepseek-reasoner", "not-in-the-list"));
    const words = ["channel", "add", "ds", "--preset", "deepseek", ...here(vendor)];
    const added = await stand.sluice(...words);
    expect(added).toMatchObject({ code: 0, error: "" });
    expect(added.out).toContain(
      "priced deepseek-chat by the list of deepseek: $0.27 in and $1.10 out for a million tokens",
    );
    expect(added.out).not.toContain("not-in-the-list");
    const body = chatBody("deepseek-chat");
    expect((await stand.gateway.post("/v1/chat/completions", body)).status).toBe(200);
    expect(vendor.requests.at(-1)?.headers["authorization"]).toBe("Bearer sk-vendor-secret-0000");
  });

  test("N17 names what it leaves out of requests, and needs a key unless it is local", async () => {
    using vendor = new Vendor(sells("mistral-small-latest"));
    await stand.sluice("channel", "add", "mist", "--preset", "mistral", ...here(vendor));
    const body = chatBody("mistral-small-latest", { user: "u", stream: false });
    expect((await stand.gateway.post("/v1/chat/completions", body)).status).toBe(200);
    expect(vendor.requests.at(-1)?.body).not.toHaveProperty("user");
    const without = await stand.sluice("channel", "add", "groq");
    expect(without.code).toBe(1);
    expect(without.error).toContain("--key - reads it from the standard input");
    const unknown = await stand.sluice("channel", "add", "nobody", "--key", "k");
    expect(unknown.error).toContain("no vendor is known as nobody: give --url, or one of openai");
    const url = ["--url", `${vendor.url}/v1`];
    const local = await stand.sluice("channel", "add", "box", "--preset", "ollama", ...url);
    expect(local).toMatchObject({ code: 0, error: "" });
  });

  test("N17 is one of those that the control API lists, with the fields of a channel", async () => {
    const { items } = await stand.gateway.control<{ items: Record<string, unknown>[] }>(
      "GET",
      "/api/channel/presets",
    );
    expect(items.map(({ name }) => name)).toEqual(presets.map(({ name }) => name));
    expect(items.find(({ name }) => name === "zhipu")).toEqual({
      name: "zhipu",
      title: "Zhipu AI",
      type: "openai",
      format: null,
      base_url: "https://open.bigmodel.cn/api/paas/v4",
      allow_private: false,
      parameters: {},
    });
    expect((await stand.sluice("channel", "presets")).out).toContain("Zhipu AI");
  });

  test("N17 whose address has a part of one's own is added with that part filled in", async () => {
    const words = ["channel", "add", "azure", "--key", "k", "--models", "mine"];
    const without = await stand.sluice(...words);
    expect(without.code).toBe(1);
    expect(without.error).toContain(
      "azure has a part of your own in its address: give --url https://{resource}.openai.azure.com",
    );
    const url = ["--url", "https://mine.openai.azure.com/openai/v1"];
    expect(await stand.sluice(...words, ...url)).toMatchObject({ code: 0, error: "" });
    const { items } = await stand.gateway.control<{ items: Record<string, unknown>[] }>(
      "GET",
      "/api/channel?q=azure",
    );
    expect(items).toMatchObject([{ type: "azure" }]);
  });

  test("N17 whose address has a region takes it from the cloud's fields", async () => {
    const words = ["channel", "add", "bedrock", "--key", "k", "--models", "mine"];
    const without = await stand.sluice(...words);
    expect(without.code).toBe(1);
    expect(without.error).toContain("or --vendor region=<region>");
    const region = ["--vendor", "region=eu-west-1"];
    expect(await stand.sluice(...words, ...region)).toMatchObject({ code: 0, error: "" });
    const { items } = await stand.gateway.control<{ items: Record<string, unknown>[] }>(
      "GET",
      "/api/channel?q=bedrock",
    );
    const address = "https://bedrock-runtime.eu-west-1.amazonaws.com";
    expect(items).toMatchObject([{ base_url: address, vendor: { region: "eu-west-1" } }]);
  });
});

describe("discovery", () => {
  test("N17 lists a channel's vendor with what its models cost and whether they are served", async () => {
    using vendor = new Vendor(sells("gpt-5.4-nano", "own-model"));
    const channel = vendor.channel({ name: "found", models: ["gpt-5.4-nano"] });
    await stand.gateway.control("POST", "/api/channel", channel);
    const { code, out } = await stand.sluice("channel", "discover", "found");
    expect(code).toBe(0);
    expect(out).toMatch(/gpt-5\.4-nano +400000 +\$0\.20 +\$1\.25 +no +yes/);
    expect(out).toMatch(/own-model +- +- +- +no +no/);
  });

  test("N17 reads a list without an envelope, and says what a vendor refuses", async () => {
    using vendor = new Vendor((_request, reply) => reply.json([{ id: "bare" }]));
    const draft = { type: "openai", base_url: vendor.url, key: "sk-1", allow_private: true };
    const found = await stand.gateway.control("POST", "/api/channel/discover", draft);
    expect(found).toMatchObject({ source: "vendor", models: [{ id: "bare", price: null }] });
    vendor.script = (_request, reply) => reply.json({ error: { message: "bad sk-1" } }, 401);
    const refused = await stand.gateway.controlEnvelope("POST", "/api/channel/discover", draft);
    expect(refused).toMatchObject({ success: false });
    expect(refused.message).toContain("no list of its models");
    expect(refused.message).not.toContain("sk-1");
  });
});

test("N17 a channel that is added names its models without a price", async () => {
  using vendor = new Vendor(sells("unheard-of"));
  const words = ["channel", "add", "plain", ...here(vendor), "--models", "unheard-of,chatA"];
  const { out } = await stand.sluice(...words);
  expect(out).toContain("without a price, and refused until they have one: unheard-of\n");
  expect(out).toContain("sluice price set unheard-of --input '$1' --output '$2'");
});

describe("a test of a channel", () => {
  const named = (vendor: Vendor, name: string) =>
    stand.gateway.control(
      "POST",
      "/api/channel",
      vendor.channel({ name, models: ["quiet-model"] }),
    );

  test("N17 passes at a vendor who takes no bound below 16 tokens, and says what came", async () => {
    using vendor = new Vendor((request, reply) => {
      const { max_tokens: bound = 0 } = request.body;
      if (Number(bound) < 16) reply.json({ error: { message: "at least 16" } }, 400);
      else complete(request, reply, "pong");
    });
    await named(vendor, "sixteen");
    const { code, out } = await stand.sluice("channel", "test", "sixteen");
    expect(code).toBe(0);
    expect(out).toContain('It answered "pong" with 10 tokens in and 20 out.');
    expect(out).toContain("It has no price, so requests for it are refused.");
  });

  test("N17 passes at a vendor who knows the bound by its other name alone", async () => {
    using vendor = new Vendor((request, reply) => {
      if ("max_tokens" in request.body) reply.json({ error: { message: "unsupported" } }, 400);
      else complete(request, reply, "pong");
    });
    await named(vendor, "other");
    expect((await stand.sluice("channel", "test", "other")).code).toBe(0);
    expect(vendor.requests.at(-1)?.body).toMatchObject({ max_completion_tokens: 16 });
  });

  test("N17 that fails names the vendor's models where the one asked for is none", async () => {
    using vendor = new Vendor(({ path }, reply) => {
      if (path.endsWith("/models")) reply.json({ data: [{ id: "a" }, { id: "b" }] });
      else reply.json({ error: { message: "no such model" } }, 404);
    });
    await named(vendor, "wrong");
    const { code, out } = await stand.sluice("channel", "test", "wrong");
    expect(code).toBe(1);
    expect(out).toContain("The vendor does not list quiet-model; it lists a, b.");
  });

  test("N17 tells its steps as they come, a list of models among them", async () => {
    using vendor = new Vendor((request, reply) => {
      if (!request.path.endsWith("/models")) return complete(request, reply, "pong");
      reply.json({ data: [{ id: "quiet-model" }, { id: "b" }] });
    });
    await named(vendor, "steps");
    const { code, out } = await stand.sluice("channel", "test", "steps");
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^ *\d+ ms {2}/, ""))).toEqual([
      "2 models listed, this one among them",
      `POST ${vendor.url}/v1/chat/completions`,
      "connected",
      "answered with status 200",
      "first token",
      expect.stringMatching(/^ok: status 200 after \d+ ms: It answered "pong" with 10 tokens in/),
    ]);
    const told = await stand.sluice("channel", "test", "steps", "--json");
    expect(JSON.parse(told.out)).toMatchObject({
      ok: true,
      checked: "answer",
      steps: ["listed", "resolved", "connected", "answered", "first_token"].map((step) => ({
        step,
      })),
    });
  });

  test("N17 goes on without a list, and says why there is none", async () => {
    using vendor = new Vendor((request, reply) => {
      if (!request.path.endsWith("/models")) return complete(request, reply, "pong");
      reply.json({ error: { message: "you may not list models" } }, 403);
    });
    await named(vendor, "unlisted");
    const { code, out } = await stand.sluice("channel", "test", "unlisted");
    expect(code).toBe(0);
    expect(out).toContain("no list of models: you may not list models");
  });
});
