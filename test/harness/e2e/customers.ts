// A console whose gateway has two customers with different numbers, and names of models and groups
// that need care in an address and in code.
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../vendor.ts";
import { openConsole, type ConsoleHouse } from "./console.ts";

export const oddModel = `!'"; touch pwned; $(touch pwned) \\`;
export const slashModel = "meta/llama 3";
export const oddGroup = "second floor";
const price = { input_micros_per_million: 1_000_000, output_micros_per_million: 1_000_000 };
const messages = [{ role: "user", content: "hi" }];

/** Requests of each customer to each model; of a model that is not there one request is refused. */
const asked = {
  ann: { [slashModel]: 3, [oddModel]: 2, chatA: 1, "no-such-model": 1 },
  bob: { [slashModel]: 1, chatA: 4 },
} as const;
export type Customer = keyof typeof asked;

const script: VendorScript = ({ body }, reply) => {
  if (body["stream"] !== true) return reply.json(completion("hello"));
  reply.stream();
  reply.event(delta({ role: "assistant", content: "hello" }));
  reply.event(delta({}, "stop"));
  reply.event(usageChunk());
  reply.chunk("data: [DONE]\n\n");
  reply.end();
};

export interface Customers extends AsyncDisposable {
  house: ConsoleHouse;
  keys: Readonly<Record<Customer, { id: string; key: string; name: string }>>;
}

export async function openCustomers(): Promise<Customers> {
  const vendor = new Vendor(script);
  const house = await openConsole();
  const { gateway } = house;
  const models = [oddModel, slashModel];
  await gateway.control("POST", "/api/group", { name: oddGroup, multiplier: 2 });
  const channels = [
    vendor.channel({ name: "main", models, groups: ["default", oddGroup] }),
    vendor.channel({ name: "side", models: ["chatA"], groups: ["default", oddGroup] }),
  ];
  for (const channel of channels) await gateway.control("POST", "/api/channel", channel);
  for (const model of models) await gateway.control("POST", "/api/price", { model, ...price });
  const keys = {
    ann: await join(house, "ann", "default"),
    bob: await join(house, "bob", oddGroup),
  };
  for (const [name, counts] of Object.entries(asked)) {
    const { key } = keys[name === "ann" ? "ann" : "bob"];
    for (const [model, count] of Object.entries(counts)) {
      for (let at = 0; at < count; at++) {
        await (await gateway.post("/v1/chat/completions", { model, messages }, key)).text();
      }
    }
  }
  return {
    house,
    keys,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      vendor[Symbol.dispose]();
    },
  };
}

async function join(house: ConsoleHouse, account: string, group: string) {
  await house.addMember(account);
  const { id } = await house.accountOf(account);
  await house.gateway.control("PATCH", `/api/user/${id}`, { group });
  const name = `${account} laptop`;
  const made = { name, account };
  const key = await house.gateway.control<{ id: string; key: string }>("POST", "/api/token", made);
  return { ...key, name };
}
