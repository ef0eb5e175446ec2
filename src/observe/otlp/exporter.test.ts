import { expect, test } from "bun:test";
import { Deadlines } from "../../core/deadline.ts";
import { systemClock, systemTimers } from "../../core/clock.ts";
import { OutboundFailed, type Send } from "../../core/outbound.ts";
import { OtlpExporter } from "./exporter.ts";

function setup(send: Send) {
  const warnings: string[] = [];
  const nothing = () => {};
  let tick = nothing;
  const exporter = new OtlpExporter<number>({
    send,
    deadlines: new Deadlines(systemClock, systemTimers),
    timers: { after: () => nothing, every: (_periodMs, run) => ((tick = run), nothing) },
    log: {
      debug: nothing,
      info: nothing,
      warn: (message) => void warnings.push(message),
      error: nothing,
      flush: nothing,
    },
    url: "http://collector.example/v1/traces",
    headers: {},
    queueMax: 3,
    intervalMs: 1000,
    encode: (items) => JSON.stringify(items),
  });
  return { exporter, warnings, tick: () => tick() };
}

test("what does not fit into the queue is dropped and counted", async () => {
  const bodies: unknown[] = [];
  const { exporter, tick } = setup(async ({ body }) => {
    bodies.push(body);
    throw new OutboundFailed("never");
  });
  for (const item of [1, 2, 3, 4, 5]) exporter.add(item);
  expect([exporter.sent, exporter.dropped]).toEqual([0, 2]);
  tick();
  expect(bodies).toEqual(["[1,2,3]"]);
  await exporter.close();
});

test("a collector that fails costs its batch, and is warned of once for as long as that lasts", async () => {
  const { exporter, warnings, tick } = setup(async () => {
    throw new OutboundFailed("ECONNREFUSED");
  });
  exporter.add(1);
  await exporter.close();
  exporter.add(2);
  tick();
  await exporter.close();
  expect([exporter.sent, exporter.dropped]).toEqual([0, 2]);
  expect(warnings).toHaveLength(1);
});
