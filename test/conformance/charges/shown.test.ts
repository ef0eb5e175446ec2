// The usage that a converted reply shows is the usage that is charged, on every pair of wires.
import { beforeAll, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { logRow } from "../../harness/books.ts";
import { clients } from "../../harness/clients/index.ts";
import { dialects } from "../../harness/dialects.ts";
import { startGateway } from "../../harness/gateway.ts";
import { tokenizerIsThere } from "../../harness/time/tokenizer.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, type Counts, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendors = Object.fromEntries(
  dialects.map((dialect) => [dialect, kept(new Vendor((_request, reply) => reply.cut()))]),
) as Record<Dialect, Vendor>;
const metered = { input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
let key: string;

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      channels: dialects.map((dialect) =>
        vendors[dialect].channel({ name: dialect, models: [dialect], ...wires[dialect].channel }),
      ),
      prices: dialects.map((model) => ({ model, ...metered })),
    }),
  }),
);

beforeAll(async () => {
  ({ key } = await gateway.customer(1_000_000_000));
  vendors.chat.script = answers("chat", "Yes.", null);
  await tokenizerIsThere(gateway, "chat");
});

const pairs = dialects.flatMap((client) =>
  dialects
    .filter((upstream) => upstream !== client)
    .flatMap((upstream) => [false, true].map((isStream) => ({ client, upstream, isStream }))),
);

async function ask({ client, upstream, isStream }: (typeof pairs)[number]) {
  const { path, body, read, assemble } = clients[client];
  const asked = body(
    { model: upstream, prompt: "Where do they stand?", outputTokensMax: 500 },
    isStream,
  );
  const response = await gateway.post(path(upstream, isStream), asked, key);
  const text = await response.text();
  const { input, output } = read(isStream ? assemble(text) : (JSON.parse(text) as JsonObject));
  const row = await logRow(gateway, response);
  return { shown: [input, output], charged: [row.input_tokens, row.output_tokens], row };
}

const words = (count: number) => "word ".repeat(count).trim();

test.each<[string, string, Counts | null, (output: number) => void]>([
  [
    "where thoughts past the bound were delivered",
    words(4000),
    { input: 10, output: 28_001, reasoning: 28_000 },
    (output) => expect([output > 4800, output < 5200]).toEqual([true, true]),
  ],
  [
    "where output is told as far less than what came",
    words(800),
    { input: 10, output: 100 },
    (output) => expect(output).toBe(100),
  ],
  [
    "where output is told that cannot be",
    "Yes.",
    { input: 10, output: 50_000 },
    (output) => expect(output).toBe(881),
  ],
  ["where nothing is told", words(40), null, (output) => expect(output).toBeGreaterThan(30)],
])("X-U18 what is shown is what is charged %s", async (_when, text, counts, check) => {
  for (const dialect of dialects) vendors[dialect].script = answers(dialect, text, counts);
  for (const pair of pairs) {
    const { shown, charged, row } = await ask(pair);
    expect({ ...pair, shown }).toEqual({ ...pair, shown: charged });
    check(row.output_tokens);
  }
});
