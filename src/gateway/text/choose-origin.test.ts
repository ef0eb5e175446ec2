import { describe, expect, test } from "bun:test";
import type { Channel } from "../../distribution/channel.ts";
import type { Channels } from "../../distribution/channels.ts";
import { Origins } from "../../distribution/origins.ts";
import { digestOf } from "../../core/digest.ts";
import type { AccountId } from "../../core/ids.ts";
import type { NeededOrigins, TextRequest } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import { createReader } from "../../store/database.ts";
import type { Row } from "../../store/store.ts";
import { chooseOrigin } from "./choose-origin.ts";

const accountId = "acc_1" as AccountId;
const caller = { accountId } as Caller;
const key = { text: "sk-1" };

function channelNamed(id: string, allowObjects: boolean): Channel {
  return { settings: { id, allowObjects, keys: [key] } } as unknown as Channel;
}

/** A database with the origins of these ids, made by the first channel, that counts its reads. */
function open(ids: readonly string[], serving: readonly Channel[]) {
  const rows = new Map<unknown, Row>();
  for (const id of ids) {
    rows.set(digestOf(id), {
      account_id: accountId,
      digest: digestOf(id),
      channel_id: serving[0]?.settings.id ?? "",
      key_digest: digestOf(key.text),
      created_at_ms: 0,
      model: null,
    });
  }
  const made = { reads: 0 };
  const database = createReader("sqlite", async ({ parameters }) => {
    made.reads++;
    return (parameters ?? []).map((value) => rows.get(value)).filter((row) => row !== undefined);
  });
  const channels = {
    find: (id: string) => serving.find(({ settings }) => settings.id === id),
  } as unknown as Channels;
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const origins = new Origins({ database, channels, clock, keep() {} });
  const choose = (needed: Partial<NeededOrigins>) => {
    const request = { origins: { required: null, preferred: null, ...needed } };
    return chooseOrigin(origins, caller, request as unknown as TextRequest, serving);
  };
  return { made, choose };
}

const first = channelNamed("chn_1", false);
const strict = [first, channelNamed("chn_2", false)];
const firstOpen = channelNamed("chn_1", true);
const lenient = [firstOpen, channelNamed("chn_2", true)];

function needs(count: number, name = "item") {
  return Array.from({ length: count }, (_, at) => ({ id: `${name}_${at}`, param: `input.${at}` }));
}

function required(count: number): NeededOrigins {
  const [first = null, ...alsoRequired] = needs(count);
  return { required: first, alsoRequired, preferred: null };
}

describe("reads of the database", () => {
  test("end at the first unknown id, of responses and of files", async () => {
    for (const needed of [required(5000), { objects: needs(5000) }]) {
      const { made, choose } = open([], strict);
      await expect(choose(needed)).rejects.toMatchObject({ param: "input.0" });
      expect(made.reads).toBe(1);
    }
  });

  test("are few for thousands of known ids", async () => {
    const known = needs(5000).map(({ id }) => id);
    for (const needed of [required(5000), { objects: needs(5000) }]) {
      const { made, choose } = open(known, strict);
      const { origin, channels } = await choose(needed);
      expect([origin?.channel, ...channels]).toEqual([first, first]);
      expect(made.reads).toBeLessThanOrEqual(5);
    }
  });

  test("are one for one id that comes ten thousand times and more", async () => {
    const { made, choose } = open(["file_1"], strict);
    const objects = Array.from({ length: 20_000 }, () => ({ id: "file_1", param: "input.0" }));
    expect((await choose({ objects })).origin?.channel).toBe(first);
    expect(made.reads).toBe(1);
  });

  test("are none where there are more ids than a request may name", async () => {
    const { made, choose } = open([], lenient);
    await expect(choose({ objects: needs(10_001) })).rejects.toMatchObject({
      code: "invalid_request",
      param: "input.10000",
    });
    expect(made.reads).toBe(0);
  });

  test("are few where channels are open to any id", async () => {
    const { made, choose } = open(["item_4321"], lenient);
    const { origin, channels } = await choose({ objects: needs(10_000) });
    expect([origin?.channel, ...channels]).toEqual([firstOpen, firstOpen]);
    expect(made.reads).toBeLessThanOrEqual(10);
  });
});
