// Image tasks on their channels, and what is left of them when the process ends.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/core/json.ts";
import { balanceOf, eventually } from "../../harness/books.ts";
import {
  rootKey,
  startGateway,
  startProcess,
  temporaryFolder,
  type Gateway,
} from "../../harness/gateway.ts";
import { becomes, quickPolls, startImageVendors } from "../../harness/images/tasks.ts";
import { hugePicture } from "../../harness/images/host.ts";
import { create, idOf, query } from "../../harness/videos.ts";

setDefaultTimeout(60_000);

const generations = "/v1/images/generations/async";
const model = "imageA-2";
const grantMicros = 10_000_000;
/** Too large for a row. */
const reference = hugePicture(40_000);

async function ended(id: string, key: string, of: Gateway): Promise<JsonObject> {
  const isEnd = ({ status }: JsonObject) => status === "completed" || status === "failed";
  return await becomes(of, `${generations}/${id}`, isEnd, key);
}

describe("channels", () => {
  test("I6 Q7 one that refuses gives way to the next, and no more run at once than may", async () => {
    await using vendors = startImageVendors();
    const channel = (name: string, priority: number) => ({
      name,
      type: "openai",
      base_url: `${vendors.url}/openai`,
      key: `sk-${name}`,
      models: [model],
      model_mapping: { [model]: "gpt-image-2" },
      priority,
      allow_private: true,
    });
    const channels = JSON.stringify([channel("first", 1), channel("second", 0)]);
    const config = `${quickPolls}\nimages: { runs_per_channel: 1 }\nchannels: ${channels}`;
    await using gateway = await startGateway({ config, oneProcess: "bounds" });
    const at = (words: string) => create(gateway, { model, prompt: words }, { path: generations });
    const moved = idOf(await at("moved sandbox:status=503@sk-first"));
    expect((await ended(moved, rootKey, gateway))["status"]).toBe("completed");
    expect(vendors.calls).toHaveLength(2);
    const goOn = vendors.hold();
    const slow = "slow";
    const ids = [await at(slow), await at(slow), await at(slow)].map(idOf);
    await eventually("two calls more", async () => (vendors.calls.length === 4 ? true : undefined));
    const states = await Promise.all(
      ids.map(async (id) => (await query(gateway, `${generations}/${id}`)).body["status"]),
    );
    expect(states).toEqual(["in_progress", "in_progress", "queued"]);
    goOn();
    for (const id of ids) {
      expect((await ended(id, rootKey, gateway))["status"]).toBe("completed");
    }
    expect(vendors.calls).toHaveLength(5);
  });
});

describe("the end of a process", () => {
  test("I6 kill -9 in the midst: what ran is lost and paid back, what waited is made once", async () => {
    const folder = temporaryFolder();
    await using vendors = startImageVendors();
    const config = [quickPolls, vendors.config, "images: { runs_per_channel: 1 }"].join("\n");
    try {
      await using first = await startProcess({ config, folder, oneProcess: "bounds" });
      const customer = await first.customer(grantMicros);
      const at = async (of: Gateway, words: string, more: JsonObject = {}) => {
        const body = { model: "imageG-4-0-250828", prompt: words, ...more };
        return idOf(await create(of, body, { path: generations, key: customer.key }));
      };
      const done = await at(first, "done");
      await ended(done, customer.key, first);
      const { used_micros } = await balanceOf(first, customer.id);
      const ran = [
        await at(first, "sandbox:delay=20s one"),
        await at(first, "sandbox:delay=20s two"),
      ];
      const image = `data:image/png;base64,${reference}`;
      const waited = [await at(first, "three"), await at(first, "four", { image })];
      // The first two are on record as running before their vendors hear of them.
      await eventually("two calls", async () => (vendors.calls.length === 3 ? true : undefined));
      await first.kill();
      await using second = await startGateway({ config, folder });
      for (const id of ran) {
        const body = await ended(id, customer.key, second);
        expect(body).toMatchObject({ status: "failed", error: { code: "task_failed" } });
      }
      for (const id of waited) {
        expect((await ended(id, customer.key, second))["status"]).toBe("completed");
      }
      expect((await ended(done, customer.key, second))["status"]).toBe("completed");
      expect(await balanceOf(second, customer.id)).toMatchObject({
        quota_micros: grantMicros - 3 * used_micros,
        held_micros: 0,
        used_micros: 3 * used_micros,
      });
      const { items } = await second.control<{ items: { id: string; loss_micros: number }[] }>(
        "GET",
        "/api/task",
      );
      const lossOf = (id: string) => items.find((item) => item.id === id)?.loss_micros;
      // One ran at the maker, one at the reseller, and the others waited.
      expect(ran.map(lossOf)).toEqual([used_micros, used_micros]);
      expect(waited.map(lossOf)).toEqual([0, 0]);
      const times = (text: string) => vendors.calls.filter((call) => call.text.includes(text));
      expect(times("three")).toHaveLength(1);
      expect(times("four")).toHaveLength(1);
      expect(times(reference)).toHaveLength(1);
      expect(vendors.calls).toHaveLength(5);
      await eventually("an empty folder of requests", async () =>
        readdirSync(join(folder, "media", "requests")).length === 0 ? true : undefined,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("I6 a clean stop waits for what runs, and leaves what waits to the next process", async () => {
    const folder = temporaryFolder();
    await using vendors = startImageVendors();
    const config = [quickPolls, vendors.config, "images: { runs_per_channel: 1 }"].join("\n");
    try {
      await using first = await startGateway({ config, folder, oneProcess: "bounds" });
      const goOn = vendors.hold();
      const ids: string[] = [];
      for (const prompt of ["one", "two", "three"]) {
        ids.push(idOf(await create(first, { model, prompt }, { path: generations })));
      }
      const running = await eventually("a call", async () => vendors.calls.length || undefined);
      const stopped = first.stop();
      goOn();
      expect(await stopped).toBe(0);
      expect(vendors.calls.length).toBeLessThan(3);
      expect(running).toBeLessThan(3);
      await using second = await startGateway({ config, folder });
      for (const id of ids) {
        expect((await ended(id, rootKey, second))["status"]).toBe("completed");
      }
      expect(vendors.calls).toHaveLength(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("I6 a clean stop waits for what runs, and then no longer", async () => {
    const folder = temporaryFolder();
    await using vendors = startImageVendors();
    const config = [quickPolls, vendors.config, "server: { drain_seconds: 5 }"].join("\n");
    try {
      await using first = await startGateway({ config, folder });
      const at = async (words: string) =>
        idOf(await create(first, { model, prompt: words }, { path: generations }));
      const soon = await at("sandbox:delay=700ms");
      const never = await at("sandbox:delay=30s");
      await eventually("both calls", async () => (vendors.calls.length === 2 ? true : undefined));
      expect(await first.stop()).toBe(0);
      await using second = await startGateway({ config, folder });
      expect((await ended(soon, rootKey, second))["status"]).toBe("completed");
      expect((await ended(never, rootKey, second))["status"]).toBe("failed");
      expect(vendors.calls).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
