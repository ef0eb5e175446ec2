// LiteLLM's proxy: its config.yaml, its PostgreSQL, or both.
import { objectIn, cellText } from "../cells.ts";
import type { ImportSnapshot, SnapshotAsk, SnapshotReader, Remark } from "../snapshot.ts";
import { openTables, type SourceTables } from "../queries.ts";
import { readPeople } from "./accounts.ts";
import { readProxyConfig, resolvedParams, type ProxyConfig } from "./config.ts";
import { toChannels, type Deployment } from "./deployments.ts";
import { openSealed } from "./sealed.ts";

/** Budgets are dollars, which were made whole micros when they were read. */
const unitsPerDollar = 1_000_000n;
const noConfig: ProxyConfig = { deployments: [], aliases: new Map(), remarks: [] };

export const liteLlm: SnapshotReader = {
  program: "litellm",
  async read(ask) {
    const config = ask.config === null ? noConfig : readProxyConfig(ask.config, ask);
    const remarks: Remark[] = [...config.remarks];
    const kept = ask.from === "" ? noDatabase : await readDatabase(ask, remarks);
    const deployments = [...config.deployments, ...kept.deployments];
    const upstreams = toChannels(deployments, config.aliases, ask.allowPrivate);
    const { accounts, projects = [], members = [], keys, budgets = [] } = kept;
    const total = accounts.reduce((sum, { units }) => sum + units, 0n);
    return {
      unitsPerDollar,
      groups: [{ name: "default", multiplier: 1 }],
      accounts,
      projects,
      members,
      keys,
      budgets,
      channels: upstreams.channels,
      prices: upstreams.prices,
      unpriced: upstreams.unpriced,
      codes: [],
      identities: [],
      announcements: [],
      totalUnits: total,
      leftUnits: 0n,
      configuration: [],
      remarks: [...remarks, ...upstreams.remarks],
    };
  },
};

type Kept = Pick<ImportSnapshot, "accounts" | "projects" | "members" | "keys" | "budgets"> & {
  deployments: Deployment[];
};
const noDatabase: Kept = { accounts: [], keys: [], deployments: [] };

async function readDatabase(ask: SnapshotAsk, remarks: Remark[]): Promise<Kept> {
  await using tables = openTables(ask.from);
  const { remarks: ofPeople, ...people } = await readPeople(tables);
  remarks.push(...ofPeople);
  const spent = await tables.count("LiteLLM_SpendLogs");
  if (spent > 0n) {
    const why = "stay where they are: what is left of budgets comes, history does not";
    remarks.push({ about: `${spent} rows of spend logs`, why });
  }
  const deployments = await readDeployments(tables, ask, remarks);
  return { ...people, deployments };
}

async function readDeployments(
  tables: SourceTables,
  { salt, environment }: SnapshotAsk,
  remarks: Remark[],
): Promise<Deployment[]> {
  const columns = ["model_id", "model_name", "litellm_params", "model_info"];
  const rows = await tables.rows("LiteLLM_ProxyModelTable", columns);
  return rows.flatMap((row) => {
    const model = cellText(row, "model_name");
    const sealed = objectIn(row, "litellm_params") ?? {};
    try {
      if (salt === null) throw new Error("it is encrypted, and no salt was given");
      const params = openSealed(sealed, salt);
      const info = objectIn(row, "model_info") ?? {};
      const ref = cellText(row, "model_id");
      return [{ ref, model, ...resolvedParams(params, environment), info }];
    } catch (error) {
      const why = error instanceof Error ? error.message : "it cannot be opened";
      remarks.push({ about: `model ${model}`, why });
      return [];
    }
  });
}
