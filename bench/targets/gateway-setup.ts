// Configures a fresh gateway over its control API: for each wire of the vendor a channel with one
// priced model, an account with money, and a key with every limit set, high enough that none of
// them ever refuses.
import { models } from "../measure/workload.ts";

interface SetupOptions {
  readonly origin: string;
  readonly rootToken: string;
  readonly vendorPort: number;
}

type Fields = Readonly<Record<string, unknown>>;

const password = "bench-Password-0123456789";
const limitMax = 1_000_000_000;
const quotaMicros = 1_000_000_000_000;

interface BenchChannel {
  readonly name: string;
  readonly type: string;
  readonly model: string;
}

/** Requests for a model in another format than its channel speaks are converted. */
const channels: readonly BenchChannel[] = [
  { name: "bench", type: "openai", model: models.chat },
  { name: "bench-messages", type: "anthropic", model: models.messages },
  { name: "bench-content", type: "google", model: models.content },
];

/** Returns the full text of the account's API key. */
export async function configureGateway(options: SetupOptions): Promise<string> {
  for (const channel of channels) await addChannel(options, channel);
  return await addAccount(options, "bench");
}

export async function addChannel(
  { origin, rootToken, vendorPort }: SetupOptions,
  { name, type, model }: BenchChannel,
): Promise<void> {
  const asRoot = { authorization: `Bearer ${rootToken}` };
  await call(`${origin}/api/channel`, asRoot, {
    name,
    type,
    base_url: `http://127.0.0.1:${vendorPort}`,
    key: "sk-vendor",
    models: [model],
    groups: ["default"],
    allow_private: true,
  });
  await call(`${origin}/api/price`, asRoot, {
    model,
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 4_000_000,
  });
}

/** Returns the full text of its API key. */
export async function addAccount(
  { origin, rootToken }: Pick<SetupOptions, "origin" | "rootToken">,
  name: string,
): Promise<string> {
  const asRoot = { authorization: `Bearer ${rootToken}` };
  await call(`${origin}/api/user`, asRoot, {
    username: name,
    password,
    quota_micros: quotaMicros,
  });
  const created = await call(`${origin}/api/token`, asRoot, {
    name,
    account: name,
    group: "default",
    quota_micros: quotaMicros,
    models: Object.values(models),
    requests_per_minute: limitMax,
    tokens_per_minute: limitMax,
    concurrency: 10_000,
  });
  const key = created["key"];
  if (typeof key === "string") return key;
  throw new Error(`POST /api/token showed no key: ${JSON.stringify(created)}`);
}

async function call(url: string, headers: Record<string, string>, fields: Fields): Promise<Fields> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(fields),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { success: boolean; message: string; data: Fields };
  if (!answer.success) throw new Error(`POST ${url}: ${answer.message}`);
  return answer.data;
}
