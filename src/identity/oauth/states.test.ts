import { describe, expect, test } from "bun:test";
import type { Clock } from "../../core/clock.ts";
import { GatewayError } from "../../core/errors.ts";
import { systemRandom } from "../../core/random.ts";
import { States, stateTtlMs, type Begun } from "./states.ts";

function open(flowsMax?: number) {
  const time = { nowMs: 1000 };
  const clock: Clock = { nowMs: () => time.nowMs, monotonicMs: () => time.nowMs };
  return { time, states: new States(clock, systemRandom, flowsMax) };
}

const ip = "192.0.2.1";
const github: Begun = { provider: "github", accountId: null, invitation: null };
const any: Begun = { ...github, provider: null };

describe("hazard F1 a state", () => {
  test("is 256 random bits, and brings back what it was begun with", () => {
    const { states } = open();
    const { state, browser } = states.begin({ ...github, invitation: "code" }, null, ip);
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(browser).toMatch(/^[\w-]{43}$/);
    const flow = states.take(state, browser, "github");
    expect(flow).toMatchObject({ provider: "github", invitation: "code", accountId: null });
    expect(flow?.codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(new Set([state, browser, flow?.codeVerifier, flow?.nonce]).size).toBe(4);
  });

  test("is used once", () => {
    const { states } = open();
    const { state, browser } = states.begin(github, null, ip);
    expect(states.take(state, browser, "github")).not.toBeNull();
    expect(states.take(state, browser, "github")).toBeNull();
  });

  test("is used up by another provider, but not by another browser", () => {
    const { states } = open();
    const one = states.begin(github, null, ip);
    const two = states.begin(github, null, ip);
    expect(states.take(one.state, two.browser, "github")).toBeNull();
    expect(states.take(one.state, one.browser, "discord")).toBeNull();
    expect(states.take(one.state, one.browser, "github")).toBeNull();
    expect(states.take(two.state, one.browser, "github")).toBeNull();
    expect(states.take(two.state, two.browser, "github")).not.toBeNull();
  });

  test("is over after ten minutes", () => {
    const { states, time } = open();
    const { state, browser } = states.begin(github, null, ip);
    const late = states.begin(github, browser, ip);
    time.nowMs += stateTtlMs - 1;
    expect(states.take(late.state, late.browser, "github")).not.toBeNull();
    time.nowMs += 1;
    expect(states.take(state, browser, "github")).toBeNull();
    expect(stateTtlMs).toBe(600_000);
  });

  test("without a provider is of no use until it is bound to one, and then to that one", () => {
    const { states } = open();
    const unbound = states.begin(any, null, ip);
    expect(states.take(unbound.state, unbound.browser, "github")).toBeNull();
    const { state, browser } = states.begin(any, null, ip);
    expect(states.bind(state, "another browser", "github")).toBeNull();
    expect(states.bind(state, browser, "github")).not.toBeNull();
    expect(states.bind(state, browser, "discord")).toBeNull();
    expect(states.bind(state, browser, "github")).not.toBeNull();
    expect(states.take(state, browser, "github")).not.toBeNull();
  });
});

describe("hazard F10 the browser's text", () => {
  test("is kept for several states of one browser", () => {
    const { states } = open();
    const first = states.begin(github, null, ip);
    expect(states.begin(github, first.browser, ip).browser).toBe(first.browser);
  });

  test("is never taken over from a cookie that did not come from here", () => {
    const { states } = open();
    const planted = "planted-by-someone-else-0123456789";
    expect(states.begin(github, planted, ip).browser).not.toBe(planted);
  });

  test("is another one after signing in", () => {
    const { states } = open();
    const first = states.begin(github, null, ip);
    const other = states.begin(github, first.browser, ip);
    states.forget(first.browser);
    expect(states.take(other.state, first.browser, "github")).toBeNull();
    expect(states.begin(github, first.browser, ip).browser).not.toBe(first.browser);
  });
});

describe("hazard I6 a flood", () => {
  test("keeps no more states than there is room for, and the newest of them", () => {
    const { states, time } = open(100);
    const opened = Array.from({ length: 300 }, (_, at) => {
      time.nowMs++;
      return states.begin(github, null, `10.0.${at}.1`);
    });
    expect(states.size).toBe(100);
    const [first] = opened;
    const last = opened.at(-1);
    expect(states.take(first?.state ?? "", first?.browser ?? "", "github")).toBeNull();
    expect(states.take(last?.state ?? "", last?.browser ?? "", "github")).not.toBeNull();
  });

  test("lets go of what is over", () => {
    const { states, time } = open();
    for (let at = 0; at < 50; at++) states.begin(github, null, ip);
    time.nowMs += stateTtlMs;
    states.begin(github, null, ip);
    expect(states.size).toBe(1);
  });

  test("from one address is slowed, and others are not", () => {
    const { states } = open();
    let refused: unknown = null;
    for (let at = 0; at < 200 && refused === null; at++) {
      try {
        states.begin(github, null, ip);
      } catch (error) {
        refused = error;
      }
    }
    expect(refused).toBeInstanceOf(GatewayError);
    expect(refused).toMatchObject({ code: "rate_limit_exceeded" });
    expect(states.size).toBeLessThan(130);
    states.begin(github, null, "198.51.100.7");
  });
});
