// A group's criterion among channels of one priority: the cheapest, or those that are not slow.
import { beforeEach, describe, expect, test } from "bun:test";
import { chatBody } from "../harness/ask.ts";
import { startGateway } from "../harness/gateway.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";
import { Vendor } from "../harness/vendor.ts";
import { answers } from "../harness/wires.ts";

const cheap = kept(new Vendor(answers("chat", "Yes.")));
const dear = kept(new Vendor(answers("chat", "Yes.")));
const first = kept(new Vendor(answers("chat", "Yes.")));
const vendors = [cheap, dear, first];
const groups = ["default", "thrifty", "hasty"];
const price = { input_micros_per_million: 1e6, output_micros_per_million: 2e6 };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      distribution: { failures_to_eject: 1 },
      timeouts: { first_byte_ms: 3_600_000, stream_first_byte_ms: 3_600_000, stall_ms: 3_600_000 },
      groups: [
        { name: "thrifty", prefer: "cost" },
        { name: "hasty", prefer: "speed" },
      ],
      channels: [
        cheap.channel({ name: "cheap", models: ["m"], groups, weight: 1, cost: { percent: 40 } }),
        dear.channel({ name: "dear", models: ["m", "top"], groups, weight: 100 }),
        cheap.channel({ name: "quick", models: ["n"], groups }),
        dear.channel({ name: "slow", models: ["n"], groups }),
        first.channel({
          name: "first",
          models: ["top"],
          groups,
          priority: 5,
          cost: { percent: 300 },
        }),
      ],
      models: [
        { name: "saving", members: [{ model: "m" }], prefer: "cost" },
        { name: "outer", members: [{ model: "saving" }, { model: "n" }] },
        { name: "spread", members: [{ model: "saving" }], prefer: "weight" },
      ],
      prices: ["m", "n", "top"].map((model) => ({ model, ...price })),
    }),
  }),
);

const counts = () => vendors.map(({ requests }) => requests.length);

beforeEach(() => {
  for (const vendor of vendors) {
    vendor.requests.length = 0;
    vendor.script = answers("chat", "Yes.");
  }
});

async function ask(group: string, model: string, times: number, fields = {}): Promise<void> {
  const { key } = await gateway.customer(1e9, { group });
  for (let at = 0; at < times; at++) {
    const response = await gateway.post("/v1/chat/completions", chatBody(model, fields), key);
    expect(response.status).toBe(200);
    await response.text();
  }
}

describe("a group", () => {
  test("Q7 that prefers cost gets the cheapest channel, whatever the weights", async () => {
    await ask("thrifty", "m", 20);
    expect(counts()).toEqual([20, 0, 0]);
  });

  test("Q7 that prefers nothing goes by weight", async () => {
    await ask("default", "m", 20);
    expect(counts()[1]).toBeGreaterThan(10);
  });

  test("Q7 that prefers cost goes by priority first", async () => {
    await ask("thrifty", "top", 5);
    expect(counts()).toEqual([0, 0, 5]);
  });

  test("Q7 that prefers cost goes on to the next where the cheapest fails", async () => {
    cheap.script = (_request, reply) => reply.json({ error: { message: "down" } }, 500);
    await ask("thrifty", "m", 3);
    expect(counts()[1]).toBe(3);
    gateway.pass(600);
  });

  test("Q7 that prefers speed leaves what takes more than twice as long", async () => {
    const late = answers("chat", "Yes.");
    dear.script = async (request, reply) => {
      gateway.pass(600);
      await late(request, reply);
    };
    // Both have to have been seen, however the weights fall.
    while (cheap.requests.length === 0 || dear.requests.length === 0) {
      await ask("default", "n", 1, { stream: true });
    }
    const [before = 0, slowBefore = 0] = counts();
    await ask("hasty", "n", 10, { stream: true });
    expect(counts().slice(0, 2)).toEqual([before + 10, slowBefore]);
  });
});

describe("a virtual model", () => {
  test.each(["default", "hasty"])(
    "Q7 that prefers cost gets the cheapest channel of its member in the group %s",
    async (group) => {
      await ask(group, "saving", 20);
      expect(counts()).toEqual([20, 0, 0]);
    },
  );

  test("Q7 within another one says what its own members prefer", async () => {
    await ask("default", "outer", 20);
    expect(counts()).toEqual([20, 0, 0]);
  });

  test("Q7 that prefers weight does so in a group that prefers cost", async () => {
    await ask("thrifty", "spread", 20);
    expect(counts()[1]).toBeGreaterThan(10);
  });

  test("Q7 shows what it prefers, and another word is refused by its name", async () => {
    const members = [{ model: "m" }];
    const body = { name: "fast", members, prefer: "speed" };
    expect(await gateway.control<object>("POST", "/api/virtual-model", body)).toMatchObject(body);
    const bare = await gateway.control<object>("POST", "/api/virtual-model", {
      name: "fast",
      members,
    });
    expect(bare).toMatchObject({ prefer: null });
    const wrong = { ...body, prefer: "luck" };
    const refused = await gateway.controlEnvelope("POST", "/api/virtual-model", wrong);
    expect(refused.message).toContain("prefer");
  });
});
