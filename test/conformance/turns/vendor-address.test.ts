// Address of a vendor in its own errors: no client reads it, in no envelope and no stream, and
// operators read it in the attempts.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor((_request, reply) => reply.cut()));
let customer: { id: string; key: string };

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        ...dialects.map((dialect) =>
          vendor.channel({ name: dialect, ...wires[dialect].channel, models: [dialect] }),
        ),
        vendor.channel({ name: "drawing", models: ["gpt-image-2"] }),
      ],
      prices: dialects.map((model) => ({
        model,
        input_micros_per_million: 1e6,
        output_micros_per_million: 1e6,
      })),
      distribution: { failures_to_eject: 1000 },
    }),
  }),
);

beforeAll(async () => {
  customer = await gateway.customer(100_000_000);
});

const words = () => `Look at ${vendor.url}/docs, or ask ${new URL(vendor.url).host}.`;
const told = "Look at [address], or ask [address].";

async function expectHidden(response: Response, isTraced = true): Promise<void> {
  const text = await response.text();
  expect(text).toContain(told);
  expect(text).not.toContain(new URL(vendor.url).host);
  if (isTraced) expect(await wordsTried(response)).toContain(words());
}

/** Words of each try, as an operator reads them. */
async function wordsTried(response: Response): Promise<unknown[]> {
  await logRow(gateway, response);
  const path = `/api/log/${response.headers.get("x-request-id")}`;
  const { items } = await gateway.control<{ items: { tries: { words: unknown }[] }[] }>(
    "GET",
    path,
  );
  return items[0]?.tries.map((one) => one.words) ?? [];
}

async function ask(client: Dialect, upstream: Dialect, stream: boolean, script: VendorScript) {
  vendor.script = script;
  const { path, body } = clients[client];
  const wanted = body({ model: upstream, prompt: "Hello?" }, stream);
  return await gateway.post(path(upstream, stream), wanted, customer.key);
}

const pairs = dialects.flatMap((client) => dialects.map((upstream) => ({ client, upstream })));

describe.each(pairs)("the address of $upstream for a client of $client", ({ client, upstream }) => {
  const wire = wires[upstream];

  test("X-U32 is not in a refusal, whole or told after a 200", async () => {
    for (const status of [400, 200]) {
      for (const stream of [true, false]) {
        const script: VendorScript = (_request, reply) =>
          reply.json(wire.refusal(400, words()), status);
        const response = await ask(client, upstream, stream, script);
        expect(response.status).toBe(400);
        await expectHidden(response);
      }
    }
  });

  test("X-U32 is not in an error of a stream, as an event or as bare JSON", async () => {
    for (const said of [
      () => wire.fault(words()),
      () => JSON.stringify(wire.refusal(500, words())),
    ]) {
      const script: VendorScript = (_request, reply) => {
        reply.stream();
        reply.chunk(wire.opening() + wire.delta("One two three."));
        reply.chunk(said());
        reply.end();
      };
      const response = await ask(client, upstream, true, script);
      expect(response.status).toBe(200);
      await expectHidden(response);
    }
  });
});

test("X-U32 what the client itself sent may be told to it", async () => {
  const picture = "https://pictures.example/cat.png";
  vendor.script = (_request, reply) =>
    reply.json(wires.chat.refusal(400, `Cannot read ${picture}, see ${vendor.url}.`), 400);
  const content = [{ type: "image_url", image_url: { url: picture } }];
  const body = { model: "chat", max_tokens: 10, messages: [{ role: "user", content }] };
  const response = await gateway.post("/v1/chat/completions", body, customer.key);
  expect(await response.json()).toMatchObject({
    error: { message: `Cannot read ${picture}, see [address].` },
  });
});

test("X-U32 is not in what is said of a picture that cannot be drawn", async () => {
  vendor.script = (_request, reply) => reply.json(wires.chat.refusal(400, words()), 400);
  const body = { model: "gpt-image-2", prompt: "A cat." };
  const response = await gateway.post("/v1/images/generations", body, customer.key);
  expect(response.status).toBe(400);
  await expectHidden(response);
});
