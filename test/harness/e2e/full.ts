// A console whose every page has something to show, and in it, wherever the API takes words of
// others, words that a page which made markup of them would run.
import { Browser } from "../browser.ts";
import { completion, delta, usageChunk, Vendor, type VendorScript } from "../vendor.ts";
import type { ConsoleHouse } from "./console.ts";
import { endedTask, imageModel, keyOf, openWork, videoModel } from "./work.ts";

/** Were it ever markup, there would be a picture that cannot be had; the word says whose it is. */
export function hostile(word: string): string {
  return `<img src=x onerror=alert(1)> ${word}`;
}

/** Elements that are there where such words have become markup. */
export const markup = "img[src='x'], script:not([src]), [onerror], i.hostile";

/** Answers at once, fails, and never ends. */
export const models = {
  good: hostile("good"),
  bad: hostile("bad"),
  endless: hostile("endless"),
};
const price = { input_micros_per_million: 100, output_micros_per_million: 100 };

export interface FullHouse extends AsyncDisposable {
  house: ConsoleHouse;
  /** Ann's key. */
  key: string;
  videoId: string;
  /** A request that runs until it is let go. */
  askEndlessly(): Promise<Disposable>;
}

const script: VendorScript = ({ path, body }, reply) => {
  if (path.endsWith("/models")) return reply.json({ data: [{ id: hostile("of the vendor") }] });
  if (body["model"] === models.bad) {
    const error = { message: hostile("vendor"), type: hostile("kind"), code: hostile("code") };
    return reply.json({ error }, 400);
  }
  const content = `${hostile("answer")} <i class=hostile>![x](x)</i>`;
  if (body["stream"] !== true) return reply.json(completion(content));
  reply.stream();
  reply.event(delta({ role: "assistant", content }));
  if (body["model"] === models.endless) return;
  reply.event(delta({}, "stop"));
  reply.event(usageChunk());
  reply.chunk("data: [DONE]\n\n");
  reply.end();
};

const config = [
  "sandbox: on",
  "site:",
  `  name: ${JSON.stringify(hostile("site"))}`,
  `  notice: ${JSON.stringify(hostile("notice"))}`,
  "  shows_models: true",
  "  shows_status: true",
].join("\n");

/** With root, an operator (opal), a member with everything (ann) and one with nothing (bob). */
export async function openFull(): Promise<FullHouse> {
  const vendor = new Vendor(script);
  const work = await openWork(config);
  const { house, receiverUrl } = work;
  for (const name of ["ann", "bob", "opal"]) await house.addMember(name, 1e9);
  await house.promote("opal", "admin");
  for (const role of ["support", "billing", "read-only"]) {
    await house.addMember(role);
    await house.promote(role, role);
  }
  await feed(house, vendor, receiverUrl);
  const key = await keyOf(house, "ann");
  const videoId = await traffic(house, key, receiverUrl);
  return {
    house,
    key,
    videoId,
    askEndlessly: () => askEndlessly(house, key),
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      vendor[Symbol.dispose]();
    },
  };
}

async function feed(house: ConsoleHouse, vendor: Vendor, receiverUrl: string): Promise<void> {
  const { gateway } = house;
  const names = Object.values(models);
  const mapping = { [models.good]: hostile("name at the vendor") };
  const announcement = { title: hostile("title"), text: hostile("text"), for_visitors: true };
  const picture = `${receiverUrl}/cat.png?${encodeURIComponent(hostile("file"))}`;
  const rows: [path: string, body: object][] = [
    ["/api/channel", vendor.channel({ name: "evil", models: names, model_mapping: mapping })],
    ["/api/announcement", announcement],
    ["/api/invitation", { note: hostile("note") }],
    ["/api/redemption", { name: "spring", micros: 1000, count: 1 }],
    ["/api/group", { name: "partners", multiplier: 0.8 }],
    ...names.map((model): [string, object] => ["/api/price", { model, ...price }]),
  ];
  for (const [path, body] of rows) await gateway.control("POST", path, body);
  const { id } = await house.accountOf("ann");
  const credit = { micros: 1000, reason: hostile("reason") };
  await gateway.control("POST", `/api/user/${id}/credit`, credit);
  for (const name of ["ann", "root"]) {
    const headers = { "user-agent": hostile("agent") };
    const browser = new Browser(gateway.url, { headers });
    await browser.signIn(name, house.passwordOf(name));
    await browser.ask("PATCH", "/api/user/self", { display_name: hostile("display") });
    await browser.ask("POST", "/api/asset", {
      name: hostile("asset"),
      kind: "image",
      url: picture,
    });
  }
}

const messages = [{ role: "user", content: hostile("question") }];

async function askEndlessly({ gateway }: ConsoleHouse, key: string): Promise<Disposable> {
  const body = { model: models.endless, messages, stream: true };
  const reply = await gateway.post("/v1/chat/completions", body, key);
  return { [Symbol.dispose]: () => void reply.body?.cancel() };
}

/** The id of a video that has ended well. */
async function traffic(house: ConsoleHouse, key: string, receiverUrl: string): Promise<string> {
  const { gateway } = house;
  for (const model of [models.good, models.bad, hostile("unknown"), "chatA"]) {
    await (await gateway.post("/v1/chat/completions", { model, messages }, key)).text();
  }
  const webhook_url = `${receiverUrl}/${encodeURIComponent(hostile("callback"))}`;
  const prompt = `${hostile("prompt")} sandbox:seconds=0`;
  await endedTask(house, key, { model: imageModel, prompt });
  await endedTask(house, key, { model: videoModel, prompt: `${prompt} sandbox:fail` });
  return await endedTask(house, key, { model: videoModel, prompt, webhook_url });
}
