// Effect of one customer's requests on the keys and channels of all the others: nothing.
import { describe, expect, test } from "bun:test";
import { chatBody, errorOf } from "../harness/ask.ts";
import { eventually } from "../harness/books.ts";
import { startGateway } from "../harness/gateway.ts";
import { completion, Vendor, type VendorRequest, type VendorScript } from "../harness/vendor.ts";
import { useStand } from "../harness/nodes/stand.ts";

const config = `
sandbox: "off"
unpriced: free
distribution: { failures_to_eject: 5, ejection_ms: 60000, retry_budget_percent: 100 }
`;

let modelCount = 0;

const gateway = useStand(() => startGateway({ config, oneProcess: "judgement" }));

interface ChannelShown {
  id: string;
  health: { ejected: boolean };
  keys: { status: string; reason: string | null }[];
}

function newModel(): string {
  modelCount++;
  return `model-${modelCount}`;
}

async function addChannel(vendor: Vendor, fields: Record<string, unknown>): Promise<string> {
  const body = vendor.channel({ name: `channel ${crypto.randomUUID().slice(0, 8)}`, ...fields });
  return (await gateway.control<{ id: string }>("POST", "/api/channel", body)).id;
}

async function statusesOf(id: string): Promise<string[]> {
  const { keys } = await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
  return keys.map(({ status }) => status);
}

async function newKeys(count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => gateway.customer(1_000_000));
  return (await Promise.all(made)).map(({ key }) => key);
}

async function chat(model: string, key: string | undefined, fields: object = {}) {
  return await gateway.post("/v1/chat/completions", chatBody(model, { ...fields }), key);
}

const isCheck = ({ path }: VendorRequest) => /\/models(?:\?|$)/.test(path);
const checksOf = ({ requests }: Vendor) => requests.filter(isCheck).length;
const worksOf = ({ requests }: Vendor) => requests.length - requests.filter(isCheck).length;

/** A vendor whose free call says that all is well. */
function sound(work: VendorScript): VendorScript {
  return (request, reply) =>
    isCheck(request) ? reply.json({ object: "list", data: [] }) : work(request, reply);
}

/** Long enough for what is done behind a request. */
async function checked(vendor: Vendor, count = 1): Promise<void> {
  await eventually("the check", async () => (checksOf(vendor) >= count ? true : undefined));
  await Bun.sleep(100);
}

const foreignFile = {
  contents: [
    { role: "user", parts: [{ fileData: { fileUri: "https://files.example/v1beta/files/x" } }] },
  ],
};
const googleReply = {
  candidates: [{ content: { role: "model", parts: [{ text: "Yes." }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
};

const noSuchFile: VendorScript = sound((request, reply) => {
  if (!request.text.includes("fileUri")) return reply.json(googleReply);
  const message = "You do not have permission to access the File x or it may not exist.";
  reply.json({ error: { code: 403, message, status: "PERMISSION_DENIED" } }, 403);
});

describe("a file of another account", () => {
  test("costs no channel a key, and no second key is tried with it", async () => {
    using first = new Vendor(noSuchFile);
    using second = new Vendor(noSuchFile);
    const model = newModel();
    // Elsewhere the gateway itself refuses what this account never got.
    const fields = { type: "google", models: [model], key: undefined, allow_objects: true };
    const ids = [
      await addChannel(first, { ...fields, priority: 5, keys: ["k-1", "k-2", "k-3"] }),
      await addChannel(second, { ...fields, keys: ["k-4", "k-5"] }),
    ];
    const [hostile, other] = await newKeys(2);
    const path = `/v1beta/models/${model}:generateContent`;
    for (let at = 0; at < 8; at++) {
      expect((await gateway.post(path, foreignFile, hostile)).status).toBe(500);
    }
    // Each request was seen once by each vendor.
    expect([worksOf(first), worksOf(second)]).toEqual([8, 8]);
    await checked(first);
    await checked(second);
    for (const id of ids) expect(new Set(await statusesOf(id))).toEqual(new Set(["enabled"]));
    const plain = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
    for (let at = 0; at < 3; at++) {
      expect((await gateway.post(path, plain, other)).status).toBe(200);
    }
    expect([worksOf(first), worksOf(second)]).toEqual([11, 8]);
  });
});

/** Refusal by a vendor with little credit left of requests that may cost more. */
const tooDear: VendorScript = sound((request, reply) => {
  if (Number(request.body["max_tokens"]) <= 1000) return reply.json(completion("Yes."));
  const message = "This request requires more credits, or fewer max_tokens.";
  reply.json({ error: { message, code: 402 } }, 402);
});

describe("a 402 that depends on max_tokens", () => {
  test("leaves every key to the others", async () => {
    using vendor = new Vendor(tooDear);
    const model = newModel();
    const keys = ["sk-credit-1", "sk-credit-2"];
    const id = await addChannel(vendor, { models: [model], key: undefined, keys });
    const [hostile, other] = await newKeys(2);
    for (let at = 0; at < 6; at++) {
      const response = await chat(model, hostile, { max_tokens: 60_000 });
      expect(response.status).toBe(500);
    }
    await checked(vendor, 2);
    expect(await statusesOf(id)).toEqual(["enabled", "enabled"]);
    const served = await chat(model, other, { max_tokens: 100 });
    expect(served.status).toBe(200);
    expect(vendor.requests.at(-1)?.body["max_tokens"]).toBe(100);
  });

  test("is a spent key once several accounts meet it and nobody is served", async () => {
    using vendor = new Vendor(
      sound((_request, reply) => reply.json({ error: { message: "No credits." } }, 402)),
    );
    using spare = new Vendor(sound((_request, reply) => reply.json(completion("Yes."))));
    const model = newModel();
    const id = await addChannel(vendor, { models: [model], priority: 5 });
    await addChannel(spare, { models: [model] });
    const keys = await newKeys(3);
    for (const key of keys.slice(0, 2)) {
      for (let at = 0; at < 3; at++) expect((await chat(model, key)).status).toBe(200);
    }
    expect(await statusesOf(id)).toEqual(["enabled"]);
    expect((await chat(model, keys[2])).status).toBe(200);
    await eventually("the mark", async () =>
      (await statusesOf(id))[0] === "disabled" ? true : undefined,
    );
    expect(worksOf(vendor)).toBe(7);
  });
});

const words = "This request is larger than the limit of organization org-secret-42.";
/** Each wire's refusal of one request that is larger than the limit itself. */
const sizeRefusals: Readonly<Record<string, { type: string; script: VendorScript }>> = {
  "OpenAI's header": {
    type: "openai",
    script: (_request, reply) =>
      reply.json({ error: { message: words, type: "tokens", code: "rate_limit_exceeded" } }, 429, {
        "x-ratelimit-limit-tokens": "30000",
        "retry-after": "60",
      }),
  },
  "OpenAI's words": {
    type: "openai",
    script: (_request, reply) => {
      const message = `${words} Limit 30000, Requested 60010.`;
      reply.json({ error: { message, type: "tokens" } }, 429, { "retry-after": "60" });
    },
  },
  "a 413 about tokens": {
    type: "openai",
    script: (_request, reply) => {
      const message = `${words} Limit 30000, Requested 60010.`;
      const error = { message, type: "tokens", code: "rate_limit_exceeded" };
      reply.json({ error }, 413, { "retry-after": "60" });
    },
  },
  "Anthropic's header": {
    type: "anthropic",
    script: (_request, reply) =>
      reply.json({ type: "error", error: { type: "rate_limit_error", message: words } }, 429, {
        "anthropic-ratelimit-output-tokens-limit": "8000",
        "retry-after": "60",
      }),
  },
  "Google's quota": {
    type: "google",
    script: (_request, reply) => {
      const violation = { quotaId: "GenerateContentTokensPerMinute", quotaValue: "30000" };
      const details = [
        { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation] },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "60s" },
      ];
      const error = { code: 429, message: words, status: "RESOURCE_EXHAUSTED", details };
      reply.json({ error }, 429);
    },
  },
};

describe("a refusal about the request's own size", () => {
  for (const [name, { type, script }] of Object.entries(sizeRefusals)) {
    test(`rests nothing, and the client reads it after others were tried: ${name}`, async () => {
      using vendor = new Vendor(script);
      using other = new Vendor((_request, reply) => reply.json({ error: {} }, 500));
      const model = newModel();
      const id = await addChannel(vendor, { type, models: [model], priority: 5 });
      await addChannel(other, { models: [model] });
      const [hostile, innocent] = await newKeys(2);
      for (let at = 0; at < 7; at++) {
        const response = await chat(model, hostile, { max_tokens: 60_000 });
        const isBody = name.includes("413");
        expect(response.status).toBe(isBody ? 413 : 429);
        const { message, code } = await errorOf(response);
        const expectedCode = isBody ? "request_body_too_large" : "request_too_large";
        expect([code, message]).toEqual([expectedCode, expect.any(String)]);
        expect(message).toContain("This request is larger");
        expect(message).not.toContain("org-secret-42");
      }
      expect([vendor.requests.length > 6, other.requests.length > 0]).toEqual([true, true]);
      const { health } = await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
      expect([health.ejected, await statusesOf(id)]).toEqual([false, ["enabled"]]);
      // The only key has not rested: the next one of anybody goes there first.
      const before = vendor.requests.length;
      await chat(model, innocent);
      expect(vendor.requests.length).toBe(before + 1);
    });
  }

  test("is told from load: what fits under the limit lets the key rest", async () => {
    const busy = { "x-ratelimit-limit-tokens": "30000", "retry-after": "60" };
    using vendor = new Vendor((_request, reply) =>
      reply.json({ error: { message: "Slow.", type: "tokens" } }, 429, busy),
    );
    const model = newModel();
    await addChannel(vendor, { models: [model] });
    const [key] = await newKeys(1);
    for (let at = 0; at < 3; at++) {
      const response = await chat(model, key, { max_tokens: 100 });
      expect(response.status).toBe(429);
      expect((await errorOf(response)).code).toBe("too_many_requests");
    }
    expect(vendor.requests).toHaveLength(1);
  });
});

describe("a key that is suspect", () => {
  const refusing: VendorScript = (_request, reply) =>
    reply.json({ error: { message: "This key is no more." } }, 403);

  test("is disabled when the free call is refused too", async () => {
    using vendor = new Vendor(refusing);
    using spare = new Vendor(sound((_request, reply) => reply.json(completion("Yes."))));
    const model = newModel();
    const id = await addChannel(vendor, { models: [model], priority: 5 });
    await addChannel(spare, { models: [model] });
    const [key] = await newKeys(1);
    expect((await chat(model, key)).status).toBe(200);
    const shown = await eventually("the mark", async () => {
      const found = await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
      return found.keys[0]?.status === "disabled" ? found : undefined;
    });
    expect(shown.keys[0]?.reason).toBe("This key is no more.");
    expect((await chat(model, key)).status).toBe(200);
    expect([worksOf(vendor), checksOf(vendor)]).toEqual([1, 1]);
  });

  test("is checked once at a time, behind the requests", async () => {
    const go = Promise.withResolvers<void>();
    using vendor = new Vendor(async (request, reply) => {
      if (!isCheck(request)) return await refusing(request, reply);
      await go.promise;
      reply.json({ object: "list", data: [] });
    });
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    const keys = await newKeys(4);
    for (let at = 0; at < 12; at++) expect((await chat(model, keys[at % 4])).status).toBe(500);
    expect([worksOf(vendor), checksOf(vendor)]).toEqual([12, 1]);
    go.resolve();
    await Bun.sleep(200);
    expect(await statusesOf(id)).toEqual(["enabled"]);
    // It is paced, too.
    expect((await chat(model, keys[0])).status).toBe(500);
    expect(checksOf(vendor)).toBe(1);
  });

  test("without a free call is disabled by three accounts, never by one or two", async () => {
    using vendor = new Vendor((request, reply) =>
      isCheck(request) ? reply.json({}, 404) : refusing(request, reply),
    );
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    const keys = await newKeys(3);
    for (let at = 0; at < 10; at++) expect((await chat(model, keys[at % 2])).status).toBe(500);
    await checked(vendor);
    for (let at = 0; at < 4; at++) expect((await chat(model, keys[at % 2])).status).toBe(500);
    expect(await statusesOf(id)).toEqual(["enabled"]);
    expect((await chat(model, keys[2])).status).toBe(500);
    await eventually("the mark", async () =>
      (await statusesOf(id))[0] === "disabled" ? true : undefined,
    );
  });

  test("is cleared when it serves anybody in between", async () => {
    let isRefusing = true;
    using vendor = new Vendor((request, reply) => {
      if (isCheck(request)) return reply.json({}, 404);
      return isRefusing ? refusing(request, reply) : reply.json(completion("Yes."));
    });
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    const keys = await newKeys(4);
    for (const key of keys.slice(0, 2)) expect((await chat(model, key)).status).toBe(500);
    await checked(vendor);
    isRefusing = false;
    expect((await chat(model, keys[2])).status).toBe(200);
    isRefusing = true;
    for (const key of keys.slice(2)) expect((await chat(model, key)).status).toBe(500);
    await Bun.sleep(100);
    expect(await statusesOf(id)).toEqual(["enabled"]);
  });

  test("is disabled at once where a code says that it is the key", async () => {
    using vendor = new Vendor((_request, reply) =>
      reply.json({ error: { message: "Gone.", code: "account_deactivated" } }, 403),
    );
    const model = newModel();
    const id = await addChannel(vendor, { models: [model] });
    const [key] = await newKeys(1);
    expect((await chat(model, key)).status).toBe(500);
    await eventually("the mark", async () =>
      (await statusesOf(id))[0] === "disabled" ? true : undefined,
    );
    expect(checksOf(vendor)).toBe(0);
  });
});

describe("one customer's failures", () => {
  test("use up no one else's failover", async () => {
    const patient = config.replace("failures_to_eject: 5", "failures_to_eject: 1000000");
    await using own = await startGateway({
      oneProcess: "judgement",
      config: patient.replace("retry_budget_percent: 100", "retry_budget_percent: 0"),
    });
    using bad = new Vendor((_request, reply) => reply.json({ error: {} }, 500));
    using good = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    await own.control("POST", "/api/channel", bad.channel({ models: ["m"], priority: 5 }));
    await own.control("POST", "/api/channel", good.channel({ models: ["m"] }));
    const [hostile, other] = await Promise.all([own.customer(1000), own.customer(1000)]);
    const post = async (key: string) =>
      (await own.post("/v1/chat/completions", chatBody("m"), key)).status;
    const statuses: number[] = [];
    for (let at = 0; at < 25; at++) statuses.push(await post(hostile.key));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(await post(hostile.key)).toBe(500);
    for (let at = 0; at < 5; at++) expect(await post(other.key)).toBe(200);
  });

  test("put a channel aside for that customer alone", async () => {
    using vendor = new Vendor((request, reply) =>
      request.text.includes("poison")
        ? reply.json({ error: { message: "Ouch." } }, 500)
        : reply.json(completion("Yes.")),
    );
    using spare = new Vendor((_request, reply) => reply.json(completion("Yes.")));
    const model = newModel();
    await addChannel(vendor, { models: [model], priority: 5 });
    await addChannel(spare, { models: [model] });
    const [hostile, other] = await newKeys(2);
    for (let at = 0; at < 8; at++) {
      expect((await chat(model, hostile, { user: "poison" })).status).toBe(200);
    }
    expect(vendor.requests).toHaveLength(5);
    expect((await chat(model, other)).status).toBe(200);
    expect(vendor.requests).toHaveLength(6);
  });
});
