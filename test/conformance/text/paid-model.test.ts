// The model that is paid is the model that runs: what would have a vendor choose another one is
// left out and told, and a reply that names another one is paid by its price, on every format and
// dialect.
import { describe, expect, test } from "bun:test";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor, type VendorScript } from "../../harness/vendor.ts";
import { wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const counts = { input: 10, output: 20 };

/** Answers as whoever it says. */
function answersAs(dialect: Dialect, model: string): VendorScript {
  const wire = wires[dialect];
  const named = (text: string) => text.replaceAll("vendor-model", model);
  return ({ body, path }, reply) => {
    if (body["stream"] !== true && !path.includes(":stream")) {
      return reply.json(JSON.parse(named(JSON.stringify(wire.reply("Yes.", counts)))));
    }
    reply.stream();
    reply.chunk(named(wire.opening() + wire.delta("Yes.") + wire.ending("Yes.", counts)));
    reply.end();
  };
}

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor(answersAs(dialect, "cheap")))]),
) as Record<Dialect, Vendor>;
const open = kept(new Vendor(answersAs("chat", "cheap")));
const priceOf = (microsPerToken: number) => ({
  input_micros_per_million: microsPerToken * 1e6,
  output_micros_per_million: microsPerToken * 1e6,
});

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: [
        ...dialects.map((dialect) =>
          vendors[dialect].channel({
            name: dialect,
            ...wires[dialect].channel,
            models: [dialect, `${dialect}-alias`],
            model_mapping: { [dialect]: "cheap", [`${dialect}-alias`]: "house-blend" },
          }),
        ),
        open.channel({
          name: "open",
          models: ["open"],
          model_mapping: { open: "cheap" },
          allow_routing: true,
        }),
      ],
      prices: [
        ...[...dialects, ...dialects.map((dialect) => `${dialect}-alias`), "open", "cheap"].map(
          (model) => ({ model, ...priceOf(1) }),
        ),
        { model: "dear", ...priceOf(100) },
        { model: "dear-mini", ...priceOf(0.1) },
      ],
    }),
  }),
);

async function ask(client: Dialect, model: string, stream: boolean, fields: object = {}) {
  const { path, body } = clients[client];
  const asked = { ...body({ model, prompt: "hi", outputTokensMax: 400 }, stream), ...fields };
  const response = await gateway.post(path(model, stream), JSON.stringify(asked));
  await response.text();
  expect(response.status).toBe(200);
  const ignored = response.headers.get("x-sluice-ignored") ?? "";
  return { id: response.headers.get("x-request-id") ?? "", ignored };
}

const ways = dialects.flatMap((client) => [
  { client, stream: false },
  { client, stream: true },
]);

const routing = {
  models: ["dear"],
  route: "fallback",
  provider: { only: ["dear"] },
  preset: "mine",
  fallbacks: [{ model: "dear" }],
  context_window_fallbacks: [{ cheap: ["dear"] }],
  mock_testing_fallbacks: true,
  model_list: [{ model_name: "cheap", litellm_params: { model: "dear" } }],
  api_base: "https://example.com",
  providerOptions: { gateway: { models: ["dear"] } },
  extra_body: { models: ["dear"] },
};
const told = [
  ...Object.keys(routing).filter((name) => !/^(?:providerOptions|extra_body)$/.test(name)),
  "providerOptions.gateway",
  "extra_body.models",
];

describe.each([...dialects])("a vendor of %s", (upstream) => {
  test.each(ways)(
    "never hears from $client which other model to run, streamed: $stream",
    async ({ client, stream }) => {
      vendors[upstream].script = answersAs(upstream, "cheap");
      const { ignored } = await ask(client, upstream, stream, routing);
      const sent = JSON.stringify(vendors[upstream].requests.at(-1)?.body);
      expect(sent).not.toContain("dear");
      expect(sent).not.toContain("fallback");
      if (client === upstream) expect(ignored.split(", ")).toEqual(expect.arrayContaining(told));
    },
  );

  test.each(ways)(
    "that answers $client with a dearer model is paid by that model's price, streamed: $stream",
    async ({ client, stream }) => {
      vendors[upstream].script = answersAs(upstream, "dear-2026-01-31");
      const { id } = await ask(client, upstream, stream);
      expect(await entryOf(gateway, id)).toMatchObject({
        micros: 30 * 100,
        usage: "10/20/0/0 model=dear-2026-01-31",
      });
    },
  );

  test.each([
    "cheap",
    "cheap-2026-01-31",
    "cheap-20260131",
    "cheap-latest",
    "cheap-001",
    "vendor/cheap",
    "models/cheap",
    "accounts/a/models/cheap-preview",
    "Cheap",
    "cheap-eu-deployment",
    "",
    upstream,
  ])("that calls its model %p is paid as ever, and nothing is marked", async (name) => {
    vendors[upstream].script = answersAs(upstream, name);
    const { id } = await ask(upstream, upstream, false);
    expect(await entryOf(gateway, id)).toMatchObject({ micros: 30, usage: "10/20/0/0" });
  });

  test("that answers with a cheaper model is marked, and paid what was asked for", async () => {
    vendors[upstream].script = answersAs(upstream, "dear-mini");
    const { id } = await ask(upstream, upstream, true);
    expect(await entryOf(gateway, id)).toMatchObject({
      micros: 30,
      usage: "10/20/0/0 model=dear-mini",
    });
  });

  test("behind a name of the operator's own may answer with any model", async () => {
    vendors[upstream].script = answersAs(upstream, "dear");
    const { id } = await ask(upstream, `${upstream}-alias`, false);
    expect(await entryOf(gateway, id)).toMatchObject({ micros: 30, usage: "10/20/0/0" });
  });
});

test("a channel that allows it passes routing on, and a dearer model is paid by its price", async () => {
  open.script = answersAs("chat", "dear");
  const { id, ignored } = await ask("chat", "open", false, routing);
  expect(ignored).toBe("");
  expect(open.requests.at(-1)?.body).toMatchObject(routing);
  expect(await entryOf(gateway, id)).toMatchObject({ micros: 30 * 100 });
});

test("replies that name another model are counted by their channel", async () => {
  const counted = async () => {
    const text = await (await gateway.get("/metrics")).text();
    return Number(/sluice_other_model_total\{channel="chat"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  const before = await counted();
  for (const name of ["dear", "nobody-knows", "cheap-2026-01-31"]) {
    vendors.chat.script = answersAs("chat", name);
    await ask("chat", "chat", false);
  }
  expect(await counted()).toBe(before + 2);
});
