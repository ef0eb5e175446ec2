// A channel's cost that is changed while a request runs: what was admitted before is counted at the
// cost of before, whatever kind it is of.
import { beforeAll, expect, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { eventually } from "../../harness/books.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor, type VendorReply } from "../../harness/vendor.ts";

const listMicros = 1000;
const held: { reply: VendorReply; path: string }[] = [];
let arrived = Promise.withResolvers<void>();
const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const vendor = kept(
  new Vendor(({ path }, reply) => {
    held.push({ reply, path });
    arrived.resolve();
  }),
);
const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      prices: [
        { model: "flat", call_micros: listMicros },
        { model: "imageA-2", image_micros: listMicros },
      ],
    }),
  }),
);
const samples = {
  text: { path: "/v1/chat/completions", body: chatBody("flat") },
  "a picture": { path: "/v1/images/generations", body: { model: "imageA-2", prompt: "A weir" } },
  "a task": { path: "/v1/images/generations/async", body: { model: "imageA-2", prompt: "A weir" } },
} as const;

let channelId: string;
let customer: { id: string; key: string };

beforeAll(async () => {
  const models = ["flat", "imageA-2"];
  const channel = vendor.channel({ name: "all", models, cost: { percent: 50 } });
  ({ id: channelId } = await gateway.control<{ id: string }>("POST", "/api/channel", channel));
  customer = await gateway.customer(1_000_000_000);
});

function answer(): void {
  for (const { reply, path } of held.splice(0)) {
    const made = { created: 1_790_000_000, data: [{ b64_json: picture }] };
    reply.json(path.includes("images") ? made : completion("Yes."));
  }
}

async function cost(percent: number): Promise<void> {
  await gateway.control("PATCH", `/api/channel/${channelId}`, { cost: { percent } });
}

async function costs(): Promise<number[]> {
  const path = `/api/log?account=${customer.id}&page_size=100`;
  const { items } = await gateway.control<{ items: { cost_micros?: number }[] }>("GET", path);
  return items.map(({ cost_micros: micros = 0 }) => micros).filter((micros) => micros > 0);
}

/** Cost of one such request, with something done while the vendor has it. */
async function costOf(
  { path, body }: (typeof samples)[keyof typeof samples],
  meanwhile: () => Promise<void>,
): Promise<number | undefined> {
  const before = (await costs()).length;
  await cost(50);
  arrived = Promise.withResolvers();
  const asked = gateway.post(path, body, customer.key);
  await arrived.promise;
  await meanwhile();
  answer();
  expect((await asked).status).toBe(200);
  const all = await eventually("its record", async () => {
    const now = await costs();
    return now.length > before ? now : undefined;
  });
  return all[0];
}

test.each(Object.entries(samples))("leaves what %s takes as it was", async (_kind, sample) => {
  const usual = await costOf(sample, async () => undefined);
  expect(usual).toBeGreaterThan(0);
  expect(await costOf(sample, () => cost(80))).toBe(usual);
});
