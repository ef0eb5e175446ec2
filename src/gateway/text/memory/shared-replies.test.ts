import { describe, expect, test } from "bun:test";
import { systemClock } from "../../../core/clock.ts";
import type { AccountId } from "../../../core/ids.ts";
import { encodeJson } from "../../../core/json.ts";
import { systemRandom } from "../../../core/random.ts";
import { createSeal } from "../../../core/seal.ts";
import type { Asker } from "../../../distribution/asker.ts";
import { ResponseMemory } from "./response-memory.ts";
import { SharedReplies } from "./shared-replies.ts";

const ann: Asker = { accountId: "acc_ann" as AccountId, makerId: null };
const bob: Asker = { accountId: "acc_bob" as AccountId, makerId: null };
const seal = createSeal("a secret of all nodes", systemRandom);
const timers = { after: () => () => {}, every: () => () => {} };
const names = { id: "resp_1", itemIds: ["msg_1"] };
const kept = { request: encodeJson({ input: "Hello" }), reply: encodeJson({ id: "resp_1" }) };

/** The part of Redis that they use; a value that has come is there only when it was let in. */
class Values {
  readonly values = new Map<string, string>();
  isUp = true;
  let: Promise<void> = Promise.resolve();

  async call(command: string, [name = "", value = "", ...more]: string[]): Promise<unknown> {
    await this.let;
    if (!this.isUp) throw new Error("it is away");
    if (command === "MGET") {
      return [name, value, ...more].map((one) => this.values.get(one) ?? null);
    }
    if (command === "DEL") return this.values.delete(name) ? 1 : 0;
    if (command === "SET") this.values.set(name, value);
    return command === "SET" ? "OK" : (this.values.get(name) ?? null);
  }
}

function openNodes(link = new Values()) {
  const open = () =>
    new ResponseMemory({ clock: systemClock, timers, shared: new SharedReplies({ link, seal }) });
  return { link, one: open(), other: open() };
}

const has = (memory: ResponseMemory, id = "resp_1") => memory.find(ann, id) !== null;

describe("a reply that nodes keep together", () => {
  test("is there for the other node when its answer goes out, and not before", async () => {
    const { link, one, other } = openNodes();
    const gate = Promise.withResolvers<void>();
    link.let = gate.promise;
    let isKept = false;
    const keeping = one.keep(ann, names, kept)?.then(() => (isKept = true));
    await Promise.resolve();
    expect(isKept).toBe(false);
    gate.resolve();
    await keeping;
    expect(await other.fetch(ann, ["msg_1"])).toBe(true);
    expect([has(other), other.findItem(ann, "msg_1")?.id]).toEqual([true, "resp_1"]);
    expect(await other.fetch(bob, ["resp_1", "msg_1"])).toBe(false);
  });

  test("is one member's of an organisation on every node", async () => {
    const { one, other } = openNodes();
    const { accountId } = ann;
    const [cleo, dora] = ["acc_cleo", "acc_dora"].map((id): Asker => ({
      accountId,
      makerId: id as AccountId,
      isOfMember: true,
    }));
    if (!cleo || !dora) throw new TypeError("there are two members");
    await one.keep(cleo, names, kept);
    await other.fetch(dora, ["resp_1"]);
    const found = [cleo, dora, ann].map((asker) => other.find(asker, "resp_1") !== null);
    expect(found).toEqual([true, false, true]);
  });

  test("is forgotten by a node that has it once the other has deleted it", async () => {
    const { one, other } = openNodes();
    await one.keep(ann, names, kept);
    await other.fetch(ann, ["resp_1"]);
    expect(await one.dropGone(ann, ["resp_1"])).toBe(false);
    await other.forget(ann, "resp_1");
    expect([has(one), await one.dropGone(bob, ["resp_1"])]).toEqual([true, false]);
    expect(await one.dropGone(ann, ["resp_2", "resp_1"])).toBe(true);
    expect([has(one), one.findItem(ann, "msg_1")]).toEqual([false, null]);
    expect(await one.fetch(ann, ["resp_1", "msg_1"])).toBe(false);
  });

  test("that was deleted while Redis was away is told to be when it is back", async () => {
    const { link, one, other } = openNodes();
    await one.keep(ann, names, kept);
    await other.fetch(ann, ["resp_1"]);
    link.isUp = false;
    await other.forget(ann, "resp_1");
    expect([has(other), await one.dropGone(ann, ["resp_1"]), has(one)]).toEqual([
      false,
      false,
      true,
    ]);
    link.isUp = true;
    await other.dropGone(ann, ["resp_2"]);
    expect([await one.dropGone(ann, ["resp_1"]), has(one)]).toEqual([true, false]);
  });
});
