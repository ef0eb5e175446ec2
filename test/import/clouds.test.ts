// Channels of clouds in other programs, which come along with what those know of them.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../harness/command.ts";
import { startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";
import { LineageDatabase } from "./lineage-database.ts";

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\nunpriced: free\n' }));

async function importFrom(...words: string[]): Promise<void> {
  const end = await runCommand({ folder: gateway.folder }, "import", ...words, "--json");
  expect(end.error).toBe("");
}

async function channelNamed(part: string): Promise<Record<string, unknown> | undefined> {
  const path = "/api/channel?page_size=100";
  const { items } = await gateway.control<{ items: Record<string, unknown>[] }>("GET", path);
  return items.find(({ name }) => String(name).includes(part));
}

const base = "https://res.openai.azure.com";

test.each([
  ["new-api", "old", 1_700_000_000, { "gpt-4.1": "gpt-41" }],
  ["new-api", "new", 1_760_000_000, {}],
  ["one-api", "any", 1_760_000_000, { "gpt-4.1": "gpt-41" }],
] as const)(
  "%s brings its %s Azure channels with their version",
  async (program, name, time, map) => {
    const path = join(gateway.folder, `${program}-${name}.db`);
    using database = new LineageDatabase(path, program);
    const channel = { type: 3, key: "azure-key-0001", base_url: base, models: "gpt-4.1,gpt-5" };
    const label = `${program} ${name}`;
    const facts = { name: label, other: "2024-10-21", created_time: time };
    database.add("users", { username: `${program}-${name}`, password: "", quota: 0 });
    database.add("channels", { ...channel, ...facts });
    await importFrom(program, "--source", `${program}-${name}`, "--from", path);
    expect(await channelNamed(label)).toMatchObject({
      type: "azure",
      base_url: base,
      vendor: { api_version: "2024-10-21" },
      model_mapping: map,
    });
  },
);

test("LiteLLM brings its Azure deployments, by key or by an application's secret", async () => {
  const path = join(gateway.folder, "clouds.yaml");
  const secret = "client_id: c-1, client_secret: s-1";
  writeFileSync(
    path,
    `model_list:
  - model_name: keyed
    litellm_params: { model: azure/my-dep, api_base: "${base}", api_key: azure-key-0001,
      api_version: "2024-10-21" }
  - model_name: entra
    litellm_params: { model: azure/other, api_base: "${base}", tenant_id: t-1, ${secret} }
`,
  );
  await importFrom("litellm", "--source", "clouds", "--config", path);
  expect(await channelNamed("azure keyed")).toMatchObject({
    type: "azure",
    vendor: { api_version: "2024-10-21" },
    model_mapping: { keyed: "my-dep" },
    keys: [{ last4: "0001" }],
  });
  expect(await channelNamed("azure entra")).toMatchObject({ vendor: {}, status: "enabled" });
});
