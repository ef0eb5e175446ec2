// Clients that leave before their pictures have come whole: the vendor is read on for a while, what
// comes is charged, and what nobody can know is booked as a possible loss.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { newestRow } from "../../harness/books.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { type HostCall, ImageHost, madeOf, picture, refusal } from "../../harness/images/host.ts";
import { spoolIsEmpty } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const eachMicros = 21_000;
const host = new ImageHost();
const bytesMax = 200_000;
let gateway: Gateway;

beforeAll(async () => {
  const config = {
    prices: [{ model: "imageA-2", image_micros: eachMicros }],
    text: { read_on_ms: 1500, read_on_bytes_max: bytesMax },
    channels: [host.channel()],
  };
  gateway = await startGateway({ config: JSON.stringify(config) });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

/** The row and the entry of a request whose client left when its vendor had begun to draw. */
async function leave(answer: (call: HostCall) => Response | Promise<Response>, more: object = {}) {
  const customer = await gateway.customer(1_000_000);
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  host.script = async (call) => {
    asked.resolve();
    await goOn.promise;
    return await answer(call);
  };
  const abort = new AbortController();
  const leaving = fetch(`${gateway.url}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "imageA-2", prompt: "A fox", n: 2, ...more }),
    signal: abort.signal,
  }).catch(() => null);
  await asked.promise;
  abort.abort();
  await leaving;
  setTimeout(goOn.resolve, 200);
  const row = await newestRow(gateway, customer.keyId);
  return { row, entry: await entryOf(gateway, row.request_id) };
}

test.each([{}, { response_format: "b64_json" }])(
  "X-U21 a client that leaves a whole image answer pays for what comes soon after: %j",
  async (more) => {
    const came = madeOf([picture("a"), picture("b")]);
    const { row, entry } = await leave(() => came, more);
    expect(row).toMatchObject({
      outcome: "client_abort",
      error_code: "client_closed_request",
      status: 499,
      micros: 2 * eachMicros,
    });
    expect(entry).toMatchObject({ kind: "post", micros: 2 * eachMicros, loss_micros: 0 });
    await spoolIsEmpty(gateway);
  },
);

test("X-U21 a whole image answer that does not come is a possible loss", async () => {
  let left: Promise<void> | null = null;
  const { row, entry } = await leave(async (call) => {
    left = call.left;
    return await new Promise<Response>(() => {});
  });
  expect(row).toMatchObject({ outcome: "client_abort", micros: 0 });
  expect(entry).toMatchObject({ kind: "void", micros: 0, loss_micros: 2 * eachMicros });
  await left;
});

test("X-U21 a whole image answer larger than what is read on is a possible loss", async () => {
  const large = `${picture("a")}${"A".repeat(bytesMax)}`;
  const { entry } = await leave(() => madeOf([large]));
  expect(entry).toMatchObject({ kind: "void", micros: 0, loss_micros: 2 * eachMicros });
  await spoolIsEmpty(gateway);
});

test("X-U21 images that are refused soon after cost nothing and are no loss", async () => {
  const { entry } = await leave(() => refusal(400, { code: "moderation_blocked" }));
  expect(entry).toMatchObject({ kind: "void", loss_micros: 0 });
});

test("X-U21 a stream of images that is left before its first pays for what comes soon", async () => {
  const event = {
    type: "image_generation.completed",
    b64_json: picture("a"),
    created_at: 1_790_000_000,
  };
  const text = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  const { row, entry } = await leave(() => new Response(text, { headers }), { n: 1, stream: true });
  expect(row).toMatchObject({ outcome: "client_abort", micros: eachMicros });
  expect(entry).toMatchObject({ kind: "post", micros: eachMicros, loss_micros: 0 });
});
