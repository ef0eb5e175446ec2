// A channel's cost to its operator, and the margin of what customers paid: told to operators by
// channel, model, customer and day, and to nobody else.
import { describe, expect, test } from "bun:test";
import { newPerson } from "../../harness/accounts/usage.ts";
import { chatBody } from "../../harness/ask.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const folder = kept(new Folder());
const vendor = kept(new Vendor(answers("chat", "Yes.", { input: 1000, output: 100 })));
const price = { input_micros_per_million: 1e6, output_micros_per_million: 2e6 };
const models = { half: "m-half", own: "m-own", plain: "m-plain" };
const gateway = useStand(() =>
  startGateway({
    folder: folder.path,
    config: JSON.stringify({
      groups: [{ name: "default", multiplier: 1.5 }],
      channels: [
        vendor.channel({ name: "half", models: [models.half], cost: { percent: 50 } }),
        vendor.channel({
          name: "own",
          models: [models.own],
          cost: {
            prices: [
              {
                model: models.own,
                input_micros_per_million: 100_000,
                output_micros_per_million: 1e6,
              },
            ],
          },
        }),
        vendor.channel({ name: "plain", models: [models.plain] }),
      ],
      prices: Object.values(models).map((model) => ({ model, ...price })),
    }),
  }),
);

/** 1,000 tokens in and 100 out, at 1 and 2 micros each and a multiplier of 1.5. */
const charged = 1800;

interface Sums {
  micros: number;
  cost_micros?: number;
  margin_micros?: number;
}

async function used(query: string) {
  const path = `/api/usage?${query}`;
  const { items, sum } = await gateway.control<{
    items: (Sums & Record<string, string>)[];
    sum: Sums;
  }>("GET", path);
  return { items, sum };
}

async function textOf(path: string, token: string): Promise<string> {
  const response = await fetch(gateway.url + path, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return await response.text();
}

describe("what a channel costs", () => {
  test.each([
    ["half", 600],
    ["own", 200],
    ["plain", 1200],
  ] as const)("Q2 is kept with each charge: %s takes %d micros", async (name, cost) => {
    const person = await newPerson(gateway, 1e6);
    const response = await gateway.post("/v1/chat/completions", chatBody(models[name]), person.key);
    await response.text();
    const id = response.headers.get("x-request-id");
    const { items } = await gateway.control<{ items: Sums[] }>("GET", `/api/log?request_id=${id}`);
    expect(items[0]).toMatchObject({ micros: charged, cost_micros: cost });
    for (const by of ["channel", "model", "day,channel"]) {
      const { items: rows } = await used(`by=${by}&channel=${name}`);
      expect(rows).toMatchObject([{ cost_micros: cost, margin_micros: charged - cost }]);
    }
    const { items: ofPerson, sum } = await used(`by=account&account=${person.id}`);
    expect(ofPerson).toMatchObject([{ micros: charged, cost_micros: cost }]);
    expect(sum.margin_micros).toBe(charged - cost);
  });

  test("Q2 is in the series, in the file and on the command line for operators", async () => {
    const series = await gateway.control<{ sum: Sums }>("GET", "/api/series?by=channel");
    expect(series.sum.margin_micros).toBe(3 * charged - 2000);
    expect(await textOf("/api/usage.csv?by=channel", rootToken)).toContain("margin_micros");
    const shown = await runCommand({ folder: folder.path }, "usage", "--by", "channel");
    expect(shown.out).toContain("MARGIN");
  });

  test("A9 is told to nobody whose usage it is, by no route", async () => {
    const person = await newPerson(gateway, 1e6);
    await (await gateway.post("/v1/chat/completions", chatBody(models.half), person.key)).text();
    const paths = [
      "/api/usage/self?by=day",
      "/api/usage/self.csv?by=model",
      "/api/series/self",
      "/api/series/self?by=model",
      "/api/log/self",
      "/api/log/self.csv",
      "/api/model",
    ];
    for (const path of paths) {
      const text = await textOf(path, person.token);
      expect([path, /cost_micros|margin/.test(text)]).toEqual([path, false]);
    }
    expect(await textOf("/v1/models", person.key)).not.toMatch(/cost_micros|margin/);
  });

  test("Q5 of half a price is a 400 that names what is missing", async () => {
    const channel = vendor.channel({
      name: "wrong",
      models: ["x"],
      cost: { prices: [{ model: "x", input_micros_per_million: 1 }] },
    });
    const answer = await gateway.controlEnvelope("POST", "/api/channel", channel);
    expect(JSON.stringify(answer)).toContain("cost.prices.0.output_micros_per_million");
  });
});
