// The specification gives the 2.5 models eighteen sizes, each an "actual WxH value": a channel whose
// vendor would draw another size is not asked for it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../../sandbox/server.ts";
import { startGateway } from "../../harness/gateway.ts";
import { ask, picturesOf, sizeOf } from "../../harness/images/stand.ts";

setDefaultTimeout(60_000);

const model = "imageA-2.5-flare";
const oddSizes = ["1920x1080", "1080x1920", "3840x2880", "3840x2560", "2560x3840"];

let sandbox: ReturnType<typeof startSandbox>;

beforeAll(() => {
  sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
});

afterAll(() => sandbox.close());

interface Maker {
  type: string;
  /** The vendor's name of the model. */
  name: string;
  priority?: number;
}

function startWith(...makers: Maker[]) {
  const channels = makers.map(({ type, name, priority = 0 }) => ({
    name: `${type}-${name}`,
    type,
    base_url: `${sandbox.url}/${type}`,
    key: "sk-sandbox",
    models: [model],
    model_mapping: { [model]: name },
    priority,
    allow_private: true,
  }));
  return startGateway({ config: `channels: ${JSON.stringify(channels)}` });
}

const earlier = { type: "openai", name: "gpt-image-2" };
const first = { type: "openai", name: "gpt-image-1" };
const gemini = { type: "google", name: "gemini-3-pro-image-preview" };
const newest = { type: "openai", name: "gpt-image-2.5-flare" };

describe("a size that no channel's vendor makes", () => {
  test.each([
    [earlier, oddSizes, ["1024x1024", "2560x1712", "3840x2160"]],
    [first, [...oddSizes, "2048x2048"], ["1024x1024", "1536x1024", "1024x1536"]],
    [gemini, [...oddSizes, "1536x1024"], ["1024x1024", "2048x2048"]],
  ])("is a 400 invalid_size that names the sizes it makes: %p", async (maker, refused, made) => {
    await using gateway = await startWith(maker);
    for (const size of refused) {
      const answer = await ask(gateway, { model, prompt: "a fox", size });
      expect([size, answer.status]).toEqual([size, 400]);
      expect(answer.body).toMatchObject({
        error: { code: "invalid_size", type: "gateway_api_error", param: "size" },
      });
      const message = JSON.stringify(answer.body["error"]);
      const others = message.slice(message.indexOf("Use one of"));
      for (const other of made) expect(others).toContain(other);
      for (const odd of refused) expect(others).not.toContain(odd);
    }
    for (const size of made) {
      const [picture] = await picturesOf(await ask(gateway, { model, prompt: "a fox", size }));
      expect(picture && sizeOf(picture)).toBe(size);
    }
  });

  test("is no task either", async () => {
    await using gateway = await startWith(earlier);
    const path = "/v1/images/generations/async";
    const answer = await ask(gateway, { model, prompt: "a fox", size: "3840x2880" }, { path });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: "invalid_size", param: "size" } });
  });
});

test("a channel whose vendor makes the size comes before a preferred one that does not", async () => {
  await using gateway = await startWith({ ...earlier, priority: 9 }, newest);
  for (const size of oddSizes) {
    const [picture] = await picturesOf(await ask(gateway, { model, prompt: "a fox", size }));
    expect(picture && sizeOf(picture)).toBe(size);
  }
});
