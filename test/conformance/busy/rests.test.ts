// A key whose vendor is too busy rests for the model that was asked for, on every wire: its other
// models go on, and so does a chain of models behind one key.
import { describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { ImageHost, madeOf, picture, refusal } from "../../harness/images/host.ts";
import { ask as askImage } from "../../harness/images/stand.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";

const restSeconds = 30;
const counts = { input: 10, output: 20 };
const namesOf = (dialect: Dialect) => ({
  busy: `${dialect}-busy`,
  nick: `${dialect}-nick`,
  idle: `${dialect}-idle`,
  chain: `${dialect}-chain`,
});

/** Model that the vendor is asked for, wherever its wire has it. */
function isFor(request: Parameters<VendorScript>[0], model: string): boolean {
  return request.text.includes(`"${model}"`) || request.path.includes(model);
}

function scriptOf(dialect: Dialect): VendorScript {
  const well = answers(dialect, "Yes.", counts);
  const { refusal: refused } = wires[dialect];
  return (request, reply) =>
    isFor(request, `${dialect}-busy`)
      ? reply.json(refused(429, "Slow down."), 429, { "retry-after": `${restSeconds}` })
      : well(request, reply);
}

const vendors = new Map(
  dialects.map((dialect) => [dialect, kept(new Vendor(scriptOf(dialect)))] as const),
);
const vendorOf = (dialect: Dialect) => {
  const vendor = vendors.get(dialect);
  if (!vendor) throw new Error(`no vendor of ${dialect}`);
  return vendor;
};

const gateway = useStand(() =>
  startGateway({
    oneProcess: "judgement",
    config: JSON.stringify({
      sandbox: "off",
      unpriced: "free",
      distribution: { wait_ms: 0, failures_to_eject: 1000, retry_budget_percent: 100 },
      channels: dialects.map((dialect) => {
        const { busy, nick, idle } = namesOf(dialect);
        return vendorOf(dialect).channel({
          name: dialect,
          ...wires[dialect].channel,
          models: [busy, nick, idle],
          model_mapping: { [nick]: busy },
        });
      }),
      models: dialects.map((dialect) => {
        const { busy, idle, chain } = namesOf(dialect);
        return { name: chain, members: [{ model: busy }, { model: idle }] };
      }),
    }),
  }),
);

async function statusOf(dialect: Dialect, model: string): Promise<number> {
  const { path, body } = clients[dialect];
  const asked = body({ model, prompt: "hi", outputTokensMax: 50 }, false);
  const response = await gateway.post(path(model, false), asked);
  await response.text();
  return response.status;
}

interface Shown {
  name: string;
  health: { state: string };
  keys: { rests_until: number | null; rests_for: string[] | null }[];
}

async function channelOf(name: string): Promise<Shown> {
  const { items } = await gateway.control<{ items: Shown[] }>("GET", `/api/channel?q=${name}`);
  const found = items.find((one) => one.name === name);
  if (!found) throw new Error(`no channel ${name}`);
  return found;
}

describe.each(dialects)("a vendor of %s that is too busy", (dialect) => {
  const { busy, nick, idle, chain } = namesOf(dialect);

  test("D2 rests its key for that model, by all its names, and for no other", async () => {
    const { requests } = vendorOf(dialect);
    expect(await statusOf(dialect, busy)).toBe(429);
    requests.length = 0;
    expect(await statusOf(dialect, busy)).toBe(429);
    expect(await statusOf(dialect, nick)).toBe(429);
    expect(requests).toHaveLength(0);
    expect(await statusOf(dialect, idle)).toBe(200);
    const shown = await channelOf(dialect);
    expect(shown.health.state).toBe("open");
    expect(shown.keys).toMatchObject([{ rests_for: [busy] }]);
    gateway.pass(restSeconds);
    expect((await channelOf(dialect)).keys).toMatchObject([{ rests_until: null, rests_for: null }]);
  });

  test("V2 lets a chain behind its only key go on to the next model", async () => {
    const { requests } = vendorOf(dialect);
    requests.length = 0;
    expect(await statusOf(dialect, chain)).toBe(200);
    expect(requests).toHaveLength(2);
    expect(await statusOf(dialect, chain)).toBe(200);
    expect(requests).toHaveLength(3);
    gateway.pass(restSeconds);
  });
});

test("D2 a limit of the whole account rests the key for all its models", async () => {
  const error = { message: "Slow down.", type: "rate_limit_reached_error" };
  using vendor = new Vendor((_request, reply) =>
    reply.json({ error }, 429, { "retry-after": `${restSeconds}` }),
  );
  await gateway.control(
    "POST",
    "/api/channel",
    vendor.channel({ name: "shared", models: ["moon-1", "moon-2"] }),
  );
  expect(await statusOf("chat", "moon-1")).toBe(429);
  vendor.requests.length = 0;
  expect(await statusOf("chat", "moon-2")).toBe(429);
  expect(vendor.requests).toHaveLength(0);
  const { health, keys } = await channelOf("shared");
  expect(health.state).toBe("resting");
  expect(keys).toMatchObject([{ rests_for: null }]);
  expect(keys[0]?.rests_until).toBeGreaterThan(0);
});

test("D2 pictures of one model that is busy leave those of another alone", async () => {
  await using host = new ImageHost((call) =>
    JSON.stringify(call.body).includes("imageA-2")
      ? refusal(429, { message: "Slow down." }, { "retry-after": `${restSeconds}` })
      : madeOf([picture()]),
  );
  const models = ["imageA-2", "imageA-1"];
  await gateway.control("POST", "/api/channel", host.channel({ models }));
  const prompt = "A fox in the snow";
  const statusFor = async (model: string) => (await askImage(gateway, { model, prompt })).status;
  expect(await statusFor("imageA-2")).toBe(429);
  expect(await statusFor("imageA-1")).toBe(200);
  expect(await statusFor("imageA-2")).toBe(429);
  expect(host.calls).toHaveLength(2);
});
