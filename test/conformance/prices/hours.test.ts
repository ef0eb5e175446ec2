// Prices that follow the clock: judged by the moment of admission, and kept with the hold.
import { describe, expect, test } from "bun:test";
import { chatBody } from "../../harness/ask.ts";
import { runCommand } from "../../harness/command.ts";
import { entryOf } from "../../harness/entries.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const folder = kept(new Folder());
const yes = answers("chat", "Yes.", { input: 1000, output: 100 });
const vendor = kept(new Vendor(yes));
const plain = { input_micros_per_million: 1e6, output_micros_per_million: 2e6 };
const dayMs = 86_400_000;
const gateway = useStand(() =>
  startGateway({
    folder: folder.path,
    config: JSON.stringify({
      timeouts: { first_byte_ms: dayMs, stall_ms: dayMs, total_ms: dayMs },
      channels: [vendor.channel({ name: "chat", models: ["peak", "own", "listed"] })],
      prices: [
        { model: "listed", ...plain, hours: [{ from: "01:00", to: "04:00", input_percent: 200 }] },
      ],
    }),
  }),
);

/** Lead of the gateway's clock. */
let passedSeconds = 0;

function pass(seconds: number): void {
  passedSeconds += seconds;
  gateway.pass(seconds);
}

/** A window around this moment, as the gateway sees it. */
function aroundNow(): { from: string; to: string } {
  const at = (minutes: number) =>
    new Date(Date.now() + passedSeconds * 1000 + minutes * 60_000).toISOString().slice(11, 16);
  return { from: at(-30), to: at(30) };
}

async function ask(model: string, key: string) {
  const response = await gateway.post("/v1/chat/completions", chatBody(model), key);
  expect(response.status).toBe(200);
  await response.text();
  return await entryOf(gateway, response.headers.get("x-request-id") ?? "");
}

describe("a price by the hour", () => {
  test("Q2 is charged within its hours by their factor, and after them as ever", async () => {
    const hours = [{ ...aroundNow(), input_percent: 200, output_percent: 300 }];
    await gateway.control("POST", "/api/price", { model: "peak", ...plain, hours });
    const { key } = await gateway.customer(1e9);
    expect((await ask("peak", key)).micros).toBe(2 * 1000 + 3 * 200);
    pass(3600);
    expect((await ask("peak", key)).micros).toBe(1000 + 200);
    pass(23 * 3600);
    expect((await ask("peak", key)).micros).toBe(2 * 1000 + 3 * 200);
  });

  test("Q2 may have amounts of its own", async () => {
    const hours = [{ ...aroundNow(), input_micros_per_million: 7e6 }];
    await gateway.control("POST", "/api/price", { model: "own", ...plain, hours });
    const { key } = await gateway.customer(1e9);
    expect((await ask("own", key)).micros).toBe(7000 + 200);
  });

  test("Q2 is that of the moment of admission, however late the answer ends", async () => {
    const hours = [{ ...aroundNow(), input_percent: 200, output_percent: 200 }];
    await gateway.control("POST", "/api/price", { model: "peak", ...plain, hours });
    const { key } = await gateway.customer(1e9);
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    vendor.script = async (request, reply) => {
      begin();
      await gate;
      await yes(request, reply);
    };
    const entry = ask("peak", key);
    await begun;
    pass(3600);
    resolve();
    expect((await entry).micros).toBe(2 * (1000 + 200));
    vendor.script = yes;
  });

  test("Q2 is shown with what it costs now, in /v1/models", async () => {
    const hours = [{ ...aroundNow(), input_percent: 200 }];
    await gateway.control("POST", "/api/price", { model: "peak", ...plain, hours });
    const { key } = await gateway.customer(1e9);
    const listed = await (await gateway.get("/v1/models", key)).json();
    const { data } = listed as { data: { id: string; pricing?: Record<string, unknown> }[] };
    const price = data.find(({ id }) => id === "peak")?.pricing;
    expect(price).toMatchObject({ ...plain, hours, now: { input_micros_per_million: 2e6 } });
  });

  test("Q2 is set on the command line and declared in the file", async () => {
    const words = ["price", "set", "own", "--input", "$1", "--output", "$2", "--yes"];
    const hours = ["--hours", "mon-fri 09:00-18:00 Asia/Shanghai 200/150"];
    const set = await runCommand({ folder: folder.path }, ...words, ...hours);
    expect(set.code).toBe(0);
    const path = "/api/price?source=own&page_size=100";
    const { items } = await gateway.control<{ items: Record<string, unknown>[] }>("GET", path);
    expect(items.find(({ model }) => model === "own")?.["hours"]).toEqual([
      {
        days: "mon-fri",
        from: "09:00",
        to: "18:00",
        zone: "Asia/Shanghai",
        input_percent: 200,
        output_percent: 150,
      },
    ]);
    expect(items.find(({ model }) => model === "listed")?.["hours"]).toHaveLength(1);
  });

  test.each([
    [[{ from: "01:00", to: "04:00" }], "hours.0"],
    [[{ from: "1:00", to: "04:00", input_percent: 200 }], "hours.0.from"],
    [[{ from: "04:00", to: "04:00", input_percent: 200 }], "hours.0.to"],
    [[{ from: "01:00", to: "04:00", zone: "Mars/Base", input_percent: 200 }], "hours.0.zone"],
    [[{ from: "01:00", to: "04:00", days: "monday", input_percent: 200 }], "hours.0.days"],
    [
      [
        { from: "01:00", to: "04:00", input_percent: 200 },
        { from: "03:00", to: "05:00", days: "sun", input_percent: 150 },
      ],
      "hours.1",
    ],
    [
      [
        { from: "01:00", to: "04:00", input_percent: 200 },
        { from: "05:00", to: "06:00", zone: "Asia/Tokyo", input_percent: 150 },
      ],
      "hours.1.zone",
    ],
  ])("Q5 of %j is a 400 that names %s", async (hours, param) => {
    const response = await gateway.controlEnvelope("POST", "/api/price", {
      model: "peak",
      ...plain,
      hours,
    });
    expect(JSON.stringify(response)).toContain(param);
  });
});
