// Responses of an organisation's keys: a member names its own alone, whoever keeps them; owners,
// admins and the organisation's own keys name those of all, as they see what everyone does.
import { beforeAll, describe, expect, test } from "bun:test";
import {
  newCompany,
  newPerson,
  invite,
  type Company,
} from "../../harness/accounts/organisation.ts";
import type { Browser } from "../../harness/browser.ts";
import { type Gateway, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { completion, Vendor } from "../../harness/vendor.ts";

const kept = {
  id: "resp_kept",
  object: "response",
  created_at: 1_790_000_000,
  status: "completed",
  model: "stored",
  output: [
    { type: "code_interpreter_call", id: "ci_1", container_id: "cntr_1", status: "completed" },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "The code is 4711.", annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
};

const keeper = new Vendor(({ path }, reply) => {
  if (path.endsWith("/input_items")) return reply.json({ object: "list", data: [] });
  return reply.json(kept);
});
const chat = new Vendor((_request, reply) => reply.json(completion("The code is 4711.")));

const gateway = useStand(() =>
  startGateway({
    config: JSON.stringify({
      sandbox: "off",
      prices: ["stored", "converted"].map((model) => ({ model, call_micros: 10 })),
      channels: [
        keeper.channel({ name: "keeper", format: "responses", models: ["stored"] }),
        chat.channel({ name: "chat", models: ["converted"] }),
      ],
    }),
  }),
);

let acme: Company;
let keys: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  acme = await newCompany(gateway, "acme");
  const other = await newPerson(gateway, "acme-other");
  await invite(acme.people.owner, acme, { browser: other, role: "member" });
  const credit = { micros: 1_000_000, reason: "invoice" };
  await gateway.control("POST", `/api/user/${acme.id}/credit`, credit);
  const { member, admin, owner } = acme.people;
  keys = {
    maker: await newKey(member),
    maker2: await newKey(member),
    other: await newKey(other),
    admin: await newKey(admin),
    owner: await newKey(owner),
    service: await newKey(owner, { service: true }),
  };
});

async function newKey(by: Browser, fields: object = {}): Promise<string> {
  const body = { name: "key", unlimited: true, ...fields };
  return (await by.ask<{ key: string }>("POST", `/api/token?${acme.as}`, body)).key;
}

function keyOf(who: string): string {
  return keys[who] ?? "";
}

interface Made {
  id: string;
  output: { id: string }[];
}

async function make(model: string, who: string): Promise<Made> {
  const response = await gateway.post("/v1/responses", { model, input: "hi" }, keyOf(who));
  expect(response.status).toBe(200);
  return (await response.json()) as Made;
}

/** The status of each way to name a response, the one that deletes it last. */
async function statuses(at: Gateway, model: string, made: Made, who: string): Promise<number[]> {
  const key = keyOf(who);
  const path = `/v1/responses/${made.id}`;
  const last = made.output.at(-1)?.id ?? "";
  const reference = { type: "item_reference", id: last };
  const goesOn = { model, input: "and?", previous_response_id: made.id };
  const answers = [
    await at.get(path, key),
    await at.get(`${path}/input_items`, key),
    await at.post("/v1/responses", goesOn, key),
    await at.post("/v1/responses", { model, input: [reference] }, key),
    await fetch(at.url + path, { method: "DELETE", headers: { authorization: `Bearer ${key}` } }),
  ];
  for (const answer of answers) {
    const text = await answer.text();
    if (answer.status !== 200) expect(text).not.toContain("4711");
  }
  return answers.map(({ status }) => status);
}

const refused = [404, 404, 400, 400, 404];
const served = [200, 200, 200, 200, 200];

describe.each(["stored", "converted"])("a member's response, model %s", (model) => {
  test("O3 is not there for another member, and nothing goes out for it", async () => {
    const made = await make(model, "maker");
    const sent = keeper.requests.length + chat.requests.length;
    expect(await statuses(gateway, model, made, "other")).toEqual(refused);
    expect(keeper.requests.length + chat.requests.length).toBe(sent);
    expect(await statuses(gateway, model, made, "maker")).toEqual(served);
  });

  test.each(["maker2", "admin", "owner", "service"])(
    "O3 is there for the key of %s",
    async (who) => {
      const made = await make(model, "maker");
      expect(await statuses(gateway, model, made, who)).toEqual(served);
    },
  );

  test("O3 of the organisation's own key is not there for a member", async () => {
    const made = await make(model, "service");
    expect(await statuses(gateway, model, made, "other")).toEqual(refused);
    expect(await statuses(gateway, model, made, "service")).toEqual(served);
  });
});

test("O3 a container that a member's answer named is not there for another member", async () => {
  await make("stored", "maker");
  const tools = [{ type: "code_interpreter", container: "cntr_1" }];
  const body = { model: "stored", input: "hi", tools };
  expect((await gateway.post("/v1/responses", body, keyOf("other"))).status).toBe(400);
  expect((await gateway.post("/v1/responses", body, keyOf("maker"))).status).toBe(200);
});
