// A console whose gateway has had traffic: a cheap channel that fails, a good one behind it, a
// member with a key, and what was asked by whom.
import { Vendor, type VendorScript } from "../vendor.ts";
import { openConsole, type ConsoleHouse } from "./console.ts";

const usage = { prompt_tokens: 133, completion_tokens: 85, total_tokens: 218 };
const message = { role: "assistant", content: "Hello" };
const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "chatA",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage,
};

/** Words that a page which made markup of them would run. */
export const vendorWords = "upstream is overloaded <img src=x onerror=alert(1)>";

const serve: VendorScript = (_request, reply) => reply.json(answer);
const fail: VendorScript = (_request, reply) =>
  reply.json({ error: { message: vendorWords, type: "overloaded" } }, 503);

/** An answer of this vendor never ends by itself. */
const hang: VendorScript = (_request, reply) => {
  reply.stream();
  const delta = { content: "and" };
  const choices = [{ index: 0, delta, finish_reason: null }];
  reply.event({ id: "chatcmpl-2", object: "chat.completion.chunk", model: "chatA", choices });
};

export interface Traffic extends AsyncDisposable {
  house: ConsoleHouse;
  /** Ann's key. */
  key: string;
  /** The id of a request that failed on one channel and was served by another. */
  retriedId: string;
  /** Asks as ann, and gives the request's id. */
  ask(fields?: Record<string, unknown>): Promise<string>;
}

export async function openTraffic(): Promise<Traffic> {
  const vendors = { serve: new Vendor(serve), fail: new Vendor(fail), hang: new Vendor(hang) };
  const house = await openConsole();
  const { gateway } = house;
  await house.addMember("ann");
  const made = { name: "ann laptop", account: "ann", quota_micros: 1_000_000 };
  const { key } = await gateway.control<{ key: string }>("POST", "/api/token", made);
  const channels = [
    vendors.fail.channel({ name: "cheap", priority: 20 }),
    vendors.serve.channel({ name: "main", priority: 10 }),
    vendors.hang.channel({ name: "endless", models: ["chatB"] }),
  ];
  for (const channel of channels) await gateway.control("POST", "/api/channel", channel);
  const messages = [{ role: "user", content: "hi" }];
  const ask = async (fields = {}) => {
    const body = { model: "chatA", max_tokens: 100, messages, ...fields };
    const reply = await gateway.post("/v1/chat/completions", body, key);
    await reply.text();
    return reply.headers.get("x-request-id") ?? "";
  };
  const retriedId = await ask();
  for (const model of ["chatA", "chatA", "no-such-model"]) await ask({ model });
  return {
    house,
    key,
    retriedId,
    ask,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      for (const vendor of Object.values(vendors)) vendor[Symbol.dispose]();
    },
  };
}
