import { expect, test } from "bun:test";
import { Channel, type ChannelSettings } from "../../distribution/channel.ts";
import type { Choice } from "../../distribution/choose.ts";
import { sandboxChannels } from "../../../sandbox/channels.ts";
import { openai } from "../../upstreams/openai/index.ts";
import type { TextAsk } from "../../upstreams/upstream.ts";
import { hopHeader } from "../scope.ts";
import { textAddress } from "./text-address.ts";

const ask: TextAsk = {
  format: "chat",
  action: "generate",
  model: "a-model",
  stream: false,
  wireHeaders: {},
};

function settingsWith(changes: Partial<ChannelSettings> = {}): ChannelSettings {
  const [settings] = sandboxChannels("http://vendor.test");
  if (!settings) throw new Error("there is no sandbox channel");
  const keys = ["sk-one", "sk-two"].map((text, position) => ({
    position,
    text,
    isEnabled: true,
  }));
  return { ...settings, type: "openai", baseUrl: "https://one.test/v1", keys, ...changes };
}

const rules = { failuresToEject: 1, ejectionMs: 1, ejectionMsMax: 1 };

function open(changes?: Partial<ChannelSettings>) {
  const channel = new Channel(settingsWith(changes), rules);
  const choice = (at = 0): Choice => {
    const key = channel.settings.keys[at];
    if (!key) throw new Error(`there is no key ${at}`);
    return { channel, key };
  };
  return { channel, choice };
}

function find(choice: Choice, changes: Partial<TextAsk> = {}, hops = 0) {
  const { text } = openai;
  return text ? textAddress(text, { ...ask, ...changes }, choice, hops) : null;
}

test("is the same object for the same question, so that it is put together once", () => {
  const { choice } = open();
  const found = find(choice());
  expect(found).toEqual({
    url: "https://one.test/v1/chat/completions",
    headers: {
      authorization: "Bearer sk-one",
      "content-type": "application/json",
      "accept-encoding": "identity",
      "user-agent": "sluice",
      [hopHeader]: "1",
    },
  });
  expect(find(choice())).toBe(found);
  expect(Object.isFrozen(found?.headers)).toBe(true);
});

test("differs with everything that it depends on", () => {
  const { choice } = open();
  const headersOf = (...asked: Parameters<typeof find>) => find(...asked)?.headers;
  expect(headersOf(choice(1))?.["authorization"]).toBe("Bearer sk-two");
  expect(headersOf(choice(), {}, 2)?.[hopHeader]).toBe("3");
  const wireHeaders = { "openai-beta": "a=v1" };
  expect(headersOf(choice(), { wireHeaders })?.["openai-beta"]).toBe("a=v1");
  expect(headersOf(choice(), { wireHeaders: { "openai-beta": "a=v2" } })?.["openai-beta"]).toBe(
    "a=v2",
  );
  expect(headersOf(choice())?.["openai-beta"]).toBeUndefined();
  expect(find(choice(), { format: "responses" })?.url).toBe("https://one.test/v1/responses");
  expect(find(choice(), { format: "content", model: "b" })?.url).toContain("/models/b:");
  expect(find(choice(), { format: "content", model: "c" })?.url).toContain("/models/c:");
  expect(find(choice(), { format: "chat", action: "count" })).toBeNull();
});

test("follows new settings of the channel", () => {
  const { channel, choice } = open();
  find(choice());
  channel.update(settingsWith({ baseUrl: "https://two.test", headers: { "X-Team": "a" } }));
  expect(find(choice())).toMatchObject({
    url: "https://two.test/v1/chat/completions",
    headers: { "x-team": "a" },
  });
});

test("what a client says at length is sent, but not remembered", () => {
  const { choice } = open();
  const wireHeaders = { "openai-beta": "x".repeat(400) };
  const found = find(choice(), { wireHeaders });
  expect(found?.headers["openai-beta"]).toHaveLength(400);
  expect(find(choice(), { wireHeaders })).not.toBe(found);
});
