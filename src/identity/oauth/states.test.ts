import { describe, expect, test } from "bun:test";
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { openPlane } from "../../admin/fixtures/control-plane.ts";
import { systemRandom } from "../../core/random.ts";
import { States, stateTtlMs, type Begun, type Opened } from "./states.ts";

async function open(flowsMax?: number) {
  const plane = await openPlane();
  const time = { nowMs: Date.now() };
  const clock: Clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  const { store, database, seal } = plane.control;
  const needs = { store, database, seal, clock, random: systemRandom };
  return {
    time,
    states: new States(needs, flowsMax),
    /** Another node on the same database. */
    elsewhere: new States(needs, flowsMax),
    countFlows: async () => (await database.selectFrom("oauth_flow").selectAll().execute()).length,
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

const ip = "192.0.2.1";
const github: Begun = { provider: "github", accountId: null, invitation: null };
const any: Begun = { ...github, provider: null };

describe("hazard F1 a state", () => {
  test("is 256 random bits, and brings back what it was begun with", async () => {
    await using opening = await open();
    const { states } = opening;
    const { state, browser } = await states.begin({ ...github, invitation: "code" }, null, ip);
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(browser).toMatch(/^[\w-]{43}$/);
    const flow = await states.take(state, browser, "github");
    expect(flow).toMatchObject({ provider: "github", invitation: "code", accountId: null });
    expect(flow?.codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(new Set([state, browser, flow?.codeVerifier, flow?.nonce]).size).toBe(4);
  });

  test("is used once", async () => {
    await using opening = await open();
    const { states } = opening;
    const { state, browser } = await states.begin(github, null, ip);
    expect(await states.take(state, browser, "github")).not.toBeNull();
    expect(await states.take(state, browser, "github")).toBeNull();
  });

  test("is taken on any node, by one alone of many who try at once", async () => {
    await using opening = await open();
    const { states, elsewhere } = opening;
    const { state, browser } = await states.begin(any, null, ip);
    expect(await elsewhere.bind(state, browser, "github")).not.toBeNull();
    const flows = await Promise.all(
      [states, elsewhere, states, elsewhere].map((one) => one.take(state, browser, "github")),
    );
    expect(flows.filter((flow) => flow !== null)).toHaveLength(1);
  });

  test("is used up by another provider, but not by another browser", async () => {
    await using opening = await open();
    const { states } = opening;
    const one = await states.begin(github, null, ip);
    const two = await states.begin(github, null, ip);
    expect(await states.take(one.state, two.browser, "github")).toBeNull();
    expect(await states.take(one.state, one.browser, "discord")).toBeNull();
    expect(await states.take(one.state, one.browser, "github")).toBeNull();
    expect(await states.take(two.state, one.browser, "github")).toBeNull();
    expect(await states.take(two.state, two.browser, "github")).not.toBeNull();
  });

  test("is over after ten minutes", async () => {
    await using opening = await open();
    const { states, time } = opening;
    const { state, browser } = await states.begin(github, null, ip);
    const late = await states.begin(github, browser, ip);
    time.nowMs += stateTtlMs - 1;
    expect(await states.take(late.state, late.browser, "github")).not.toBeNull();
    time.nowMs += 1;
    expect(await states.take(state, browser, "github")).toBeNull();
    expect(stateTtlMs).toBe(600_000);
  });

  test("without a provider is good for any until it is bound to one, and then for that one", async () => {
    await using opening = await open();
    const { states } = opening;
    const unbound = await states.begin(any, null, ip);
    expect(await states.take(unbound.state, "another browser", "github")).toBeNull();
    const flow = await states.take(unbound.state, unbound.browser, "github");
    expect(flow).toMatchObject({ provider: null });
    expect(await states.take(unbound.state, unbound.browser, "discord")).toBeNull();
    const { state, browser } = await states.begin(any, null, ip);
    expect(await states.bind(state, "another browser", "github")).toBeNull();
    expect(await states.bind(state, browser, "github")).not.toBeNull();
    expect(await states.bind(state, browser, "discord")).toBeNull();
    expect(await states.bind(state, browser, "github")).not.toBeNull();
    expect(await states.take(state, browser, "github")).not.toBeNull();
  });
});

describe("hazard F10 the browser's text", () => {
  test("is kept for several states of one browser", async () => {
    await using opening = await open();
    const { states } = opening;
    const first = await states.begin(github, null, ip);
    expect((await states.begin(github, first.browser, ip)).browser).toBe(first.browser);
  });

  test("is never taken over from a cookie that did not come from here", async () => {
    await using opening = await open();
    const { states } = opening;
    const planted = "planted-by-someone-else-0123456789";
    expect((await states.begin(github, planted, ip)).browser).not.toBe(planted);
  });

  test("is another one after signing in", async () => {
    await using opening = await open();
    const { states } = opening;
    const first = await states.begin(github, null, ip);
    const other = await states.begin(github, first.browser, ip);
    await states.forget(first.browser);
    expect(await states.take(other.state, first.browser, "github")).toBeNull();
    expect((await states.begin(github, first.browser, ip)).browser).not.toBe(first.browser);
  });
});

describe("hazard I6 a flood", () => {
  test("keeps no more states than there is room for, and the newest of them", async () => {
    await using opening = await open(40);
    const { states, time } = opening;
    const opened: Opened[] = [];
    for (let at = 0; at < 120; at++) {
      time.nowMs++;
      opened.push(await states.begin(github, null, `10.0.${at}.1`));
    }
    expect(await opening.countFlows()).toBe(40);
    const [first] = opened;
    const last = opened.at(-1);
    expect(await states.take(first?.state ?? "", first?.browser ?? "", "github")).toBeNull();
    expect(await states.take(last?.state ?? "", last?.browser ?? "", "github")).not.toBeNull();
  });

  test("lets go of what is over", async () => {
    await using opening = await open();
    const { states, time } = opening;
    for (let at = 0; at < 50; at++) await states.begin(github, null, ip);
    time.nowMs += stateTtlMs;
    await states.begin(github, null, ip);
    expect(await opening.countFlows()).toBe(1);
  });

  test("from one address is slowed, and others are not", async () => {
    await using opening = await open();
    const { states } = opening;
    let refused: unknown = null;
    for (let at = 0; at < 200 && refused === null; at++) {
      try {
        await states.begin(github, null, ip);
      } catch (error) {
        refused = error;
      }
    }
    expect(refused).toBeInstanceOf(GatewayError);
    expect(refused).toMatchObject({ code: "rate_limit_exceeded" });
    expect(await opening.countFlows()).toBeLessThan(130);
    await states.begin(github, null, "198.51.100.7");
  });
});
