// Configures a fresh gateway over its control API: a priced model on one channel, an account with
// money, and a key with every limit set, high enough that none of them ever refuses.

export interface SetupOptions {
  readonly origin: string;
  readonly rootToken: string;
  readonly vendorPort: number;
}

type Fields = Readonly<Record<string, unknown>>;

const password = "bench-Password-0123456789";
const limitMax = 1_000_000_000;
const quotaMicros = 1_000_000_000_000;

/** Returns the full text of the account's API key. */
export async function configureGateway(options: SetupOptions): Promise<string> {
  const asRoot = { authorization: `Bearer ${options.rootToken}` };
  const { origin } = options;
  await call(`${origin}/api/channel`, asRoot, {
    name: "bench",
    type: "openai",
    base_url: `http://127.0.0.1:${options.vendorPort}`,
    key: "sk-vendor",
    models: ["bench-model"],
    groups: ["default"],
    allow_private: true,
  });
  await call(`${origin}/api/price`, asRoot, {
    model: "bench-model",
    input_micros_per_million: 1_000_000,
    output_micros_per_million: 4_000_000,
  });
  await call(`${origin}/api/user`, asRoot, {
    username: "bench",
    password,
    quota_micros: quotaMicros,
  });
  const created = await call(`${origin}/api/token`, asRoot, {
    name: "bench",
    account: "bench",
    group: "default",
    quota_micros: quotaMicros,
    models: ["bench-model"],
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
