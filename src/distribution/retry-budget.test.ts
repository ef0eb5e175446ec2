// Failures of one and retries of another.
import { expect, test } from "bun:test";
import { sandboxChannels } from "../../sandbox/channels.ts";
import type { AccountId } from "../core/ids.ts";
import { Channel } from "./channel.ts";
import { RetryBudget } from "./retry-budget.ts";

const rules = { failuresToEject: 1, ejectionMs: 1, ejectionMsMax: 1 };
const channels = sandboxChannels("http://vendor.test").map((one) => new Channel(one, rules));
const one = "one" as AccountId;
const two = "two" as AccountId;

function channelAt(at: number): Channel {
  const channel = channels[at];
  if (!channel) throw new Error(`there is no channel ${at}`);
  return channel;
}

function spendAll(budget: RetryBudget, account: AccountId, channel: Channel): number {
  let spent = 0;
  while (budget.spend(account, channel)) spent++;
  return spent;
}

test("each account has a share of its own on each channel", () => {
  const budget = new RetryBudget(20);
  const [first, second] = [channelAt(0), channelAt(1)];
  expect(spendAll(budget, one, first)).toBe(5);
  expect([budget.spend(two, first), budget.spend(one, second)]).toEqual([true, true]);
});

test("a request earns a part of a retry, and no more than so many are saved up", () => {
  const budget = new RetryBudget(20);
  const channel = channelAt(0);
  spendAll(budget, one, channel);
  for (let at = 0; at < 4; at++) budget.earn(one, channel);
  expect(budget.spend(one, channel)).toBe(false);
  budget.earn(one, channel);
  budget.earn(one, channel);
  expect(budget.spend(one, channel)).toBe(true);
  for (let at = 0; at < 10_000; at++) budget.earn(one, channel);
  expect(spendAll(budget, one, channel)).toBe(1000);
});
