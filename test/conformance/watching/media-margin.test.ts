// Costs of pictures and films for the operator: by the channel's cost price, kept with the charge, and
// never at more than was charged for want of a price.
import { describe, expect, test } from "bun:test";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { ImageHost, madeOf, picture, usage } from "../../harness/images/host.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { ScriptedArk } from "../../harness/scripted-ark.ts";
import { quickPolls } from "../../harness/videos.ts";

const twoPictures = () => madeOf([picture(), picture()], { usage });
const halfHost = new ImageHost(twoPictures);
const ownHost = new ImageHost(twoPictures);
const [halfArk, ownArk] = [new ScriptedArk(), new ScriptedArk()];
for (const one of [halfHost, ownHost, halfArk, ownArk]) kept(one);

const image = "imageA-2";
const video = "videoC-2-0-260128";
const ownImageMicros = 7;
const ownSecondMicros = 3;
const seconds = 5;

const gateway = useStand(() =>
  startGateway({
    config: [
      quickPolls,
      `sandbox: "off"`,
      `groups: ${JSON.stringify([
        { name: "default", multiplier: 2 },
        { name: "own", multiplier: 2 },
      ])}`,
      `channels: ${JSON.stringify([
        halfHost.channel({ name: "half image", cost: { percent: 50 } }),
        halfArk.channel({ name: "half video", cost: { percent: 50 } }),
        ownHost.channel({
          name: "own image",
          groups: ["own"],
          cost: { prices: [{ model: image, image_micros: ownImageMicros }] },
        }),
        ownArk.channel({
          name: "own video",
          groups: ["own"],
          cost: { prices: [{ model: video, second_micros: ownSecondMicros }] },
        }),
      ])}`,
    ].join("\n"),
  }),
);

interface Row {
  kind: string;
  micros: number;
  cost_micros: number | null;
  model: string;
}

const prompt = "A fox in the snow";
const picturesAsked = { model: image, prompt, n: 2 };

/** Requests for pictures and films, by what becomes of them. */
const ways = {
  "pictures at once": { path: "/v1/images/generations", body: picturesAsked, headers: {} },
  "pictures under a key of the client's": {
    path: "/v1/images/generations",
    body: picturesAsked,
    headers: { "idempotency-key": "once" },
  },
  "pictures as a task": {
    path: "/v1/images/generations/async",
    body: picturesAsked,
    headers: {},
  },
  "a film": { path: "/v1/videos", body: { model: video, prompt, seconds: "5" }, headers: {} },
} as const;

async function chargeOf(way: keyof typeof ways, group: string): Promise<Row> {
  const { id, key } = await gateway.customer(1e12, { group });
  const { path, body, headers } = ways[way];
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  await response.text();
  return await eventually("the charge", async () => {
    const { items } = await gateway.control<{ items: Row[] }>("GET", `/api/log?account=${id}`);
    return items.find(({ micros }) => micros > 0);
  });
}

const names = Object.keys(ways) as (keyof typeof ways)[];

describe("what a channel takes for media", () => {
  test.each(names)("Q2 is its share of the list price, for %s", async (way) => {
    const { micros, cost_micros: cost } = await chargeOf(way, "default");
    // Twice the list price is charged, and half of it is taken.
    expect(cost).not.toBeNull();
    expect(Math.abs((cost ?? 0) - micros / 4)).toBeLessThanOrEqual(1);
  });

  test.each(names)("Q2 is its own price where it has one, for %s", async (way) => {
    const { cost_micros: cost } = await chargeOf(way, "own");
    const own = way === "a film" ? seconds * ownSecondMicros : 2 * ownImageMicros;
    expect(cost).toBe(own);
  });
});

test("Q2 a whole answer of pictures has a header with what was charged", async () => {
  const { key } = await gateway.customer(1e12, {});
  const response = await gateway.post("/v1/images/generations", picturesAsked, key);
  const id = response.headers.get("x-request-id");
  await response.text();
  const { items } = await gateway.control<{ items: Row[] }>("GET", `/api/log?request_id=${id}`);
  const [row] = items;
  expect(row?.micros).toBeGreaterThan(0);
  expect(Number(response.headers.get("x-sluice-cost-usd")) * 1e6).toBeCloseTo(row?.micros ?? 0, 3);
});

test("Q2 pictures under a key of their own say what they cost, each time they come", async () => {
  const { id, key } = await gateway.customer(1e12, {});
  const ask = async () => {
    const response = await fetch(`${gateway.url}/v1/images/generations`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "told",
      },
      body: JSON.stringify(picturesAsked),
    });
    await response.text();
    return response.headers.get("x-sluice-cost-usd");
  };
  const told = [await ask(), await ask()];
  const row = await eventually("the charge", async () => {
    const { items } = await gateway.control<{ items: Row[] }>("GET", `/api/log?account=${id}`);
    return items.find(({ micros }) => micros > 0);
  });
  expect(told.map((cost) => Math.round(Number(cost) * 1e6))).toEqual([row.micros, row.micros]);
});

test("Q5 a cost price of media needs none of tokens, and half of that is refused", async () => {
  const channelOf = (price: object) =>
    ownHost.channel({ name: "draft", cost: { prices: [{ model: image, ...price }] } });
  const half = { image_micros: 1, input_micros_per_million: 1 };
  const refused = await gateway.controlEnvelope("POST", "/api/channel", channelOf(half));
  expect(refused.message).toContain("cost.prices.0.output_micros_per_million");
  await gateway.control("POST", "/api/channel", channelOf({ call_micros: 1 }));
});
