// The fate of a key that may be innocent.
import { expect, test } from "bun:test";
import { sandboxChannels } from "../../sandbox/channels.ts";
import { systemTimers } from "../core/clock.ts";
import { Deadlines } from "../core/deadline.ts";
import type { AccountId } from "../core/ids.ts";
import type { Send } from "../core/outbound.ts";
import { Channel, type ChannelSettings } from "../distribution/channel.ts";
import type { Choice } from "../distribution/choose.ts";
import { KeyWatch } from "./key-watch.ts";

const rules = { failuresToEject: 1, ejectionMs: 1, ejectionMsMax: 1 };
const keyText = "sk-of-the-channel-0001";

function settingsWith(changes: Partial<ChannelSettings>): ChannelSettings {
  const [settings] = sandboxChannels("http://vendor.test");
  if (!settings) throw new Error("there is no sandbox channel");
  const keys = [{ position: 0, text: keyText, isEnabled: true }];
  return { ...settings, type: "openai", keepsKeys: false, keys, ...changes };
}

function open(changes: Partial<ChannelSettings> = {}) {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
  const channel = new Channel(settingsWith(changes), rules);
  const refused: string[] = [];
  const others: AccountId[] = [];
  const calls: PromiseWithResolvers<number>[] = [];
  const send: Send = async () => {
    const call = Promise.withResolvers<number>();
    calls.push(call);
    const status = await call.promise;
    const text = status === 200 ? "{}" : `{"error":{"message":"No ${keyText}."}}`;
    const bytes = new TextEncoder().encode(text);
    return {
      status,
      headers: new Headers(),
      mediaType: "",
      bytes: async () => bytes,
      read: async () => ({}),
      take: () => undefined,
      cancel() {},
    };
  };
  const deadlines = new Deadlines(clock, systemTimers);
  const watch = new KeyWatch({
    clock,
    checking: { send, deadlines, clock },
    refused: (_channel, _key, reason) => refused.push(reason),
    hasOthers: async (accounts) => others.some((other) => !accounts.includes(other)),
  });
  const choice = (): Choice => {
    const [key] = channel.settings.keys;
    if (!key) throw new Error("the channel has no key");
    return { channel, key };
  };
  const meet = (account: string, fields: object = {}) => {
    const accountId = account as AccountId;
    const told = { accountId, isOfCredit: false, namesObjects: false, reason: "said" };
    watch.suspect(choice(), { ...told, ...fields });
  };
  return {
    channel,
    calls,
    refused,
    others,
    choice,
    meet,
    pass: (ms: number) => (nowMs += ms),
    async answer(at: number, status: number) {
      calls[at]?.resolve(status);
      await Bun.sleep(1);
    },
    [Symbol.dispose]: () => deadlines.close(),
  };
}

test("a refused check disables the key as it is by then, without showing it", async () => {
  using stand = open();
  stand.meet("one");
  stand.channel.update(settingsWith({}));
  await stand.answer(0, 403);
  expect(stand.choice().key.isEnabled).toBe(false);
  expect(stand.refused).toEqual(["No [secret]."]);
});

test("a check that is refused counts for nothing once the key has served somebody", async () => {
  using stand = open();
  stand.meet("one");
  stand.choice().key.doubt?.clear();
  await stand.answer(0, 401);
  expect([stand.choice().key.isEnabled, stand.refused]).toEqual([true, []]);
});

test("a check comes at most every half minute, however many ask for it", async () => {
  using stand = open();
  for (const account of ["one", "two", "three", "four"]) stand.meet(account);
  await stand.answer(0, 200);
  stand.meet("five");
  expect(stand.calls).toHaveLength(1);
  stand.pass(30_000);
  stand.meet("six");
  expect([stand.calls.length, stand.choice().key.isEnabled]).toEqual([2, true]);
});

test.each([200, 500])(
  "of credit a check says nothing (status %d): several accounts do",
  async (status) => {
    using stand = open();
    stand.meet("one", { isOfCredit: true });
    await stand.answer(0, status);
    stand.meet("one", { isOfCredit: true });
    stand.meet("two", { isOfCredit: true });
    expect(stand.refused).toEqual([]);
    stand.meet("three", { isOfCredit: true });
    expect(stand.refused).toEqual(["said"]);
  },
);

test("of credit the only accounts there are say it, in minutes and many refusals", async () => {
  using stand = open({ type: "midjourney" });
  const meetFor = async (account: string, times: number) => {
    for (let at = 0; at < times; at++) {
      stand.meet(account, { isOfCredit: true });
      stand.pass(15_000);
      await Bun.sleep(0);
    }
  };
  await meetFor("one", 8);
  expect(stand.refused).toEqual([]);
  // Somebody was served in between.
  stand.choice().key.doubt?.clear();
  stand.others.push("two" as AccountId);
  await meetFor("one", 30);
  expect(stand.refused).toEqual([]);
  stand.others.pop();
  await meetFor("one", 20);
  expect(stand.refused).toEqual(["said"]);
});

test("what names a vendor's objects never adds up, where no check can tell", () => {
  using stand = open({ type: "midjourney" });
  for (let at = 0; at < 9; at++) stand.meet(`account ${at}`, { namesObjects: true });
  expect(stand.refused).toEqual([]);
  for (const account of ["one", "two", "three"]) stand.meet(account);
  expect([stand.refused, stand.calls.length]).toEqual([["said"], 0]);
});

test("the sandbox's key is never suspect", () => {
  using stand = open({ keepsKeys: true });
  for (const account of ["one", "two", "three"]) stand.meet(account, { isOfCredit: true });
  expect([stand.refused.length, stand.calls.length]).toEqual([0, 0]);
});
