// Two nodes on one PostgreSQL, and a gateway on files beside them, with an account for all requests
// and many accounts.
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres } from "../../test/harness/postgres/find.ts";
import { PostgresServer } from "../../test/harness/postgres/server.ts";
import { readPort, startScript } from "../children.ts";
import { models } from "../measure/workload.ts";
import { addAccount, addChannel, configureGateway } from "./gateway-setup.ts";
import { launchGateway, rootToken } from "./start.ts";
import type { Target } from "./target.ts";

export type Place = Pick<Target, "pid" | "port" | "headers">;

export interface ClusterTarget {
  readonly files: Place;
  readonly nodes: readonly [Place, Place];
  /** One key for each of many accounts, on the nodes. */
  readonly keys: readonly string[];
  readonly server: PostgresServer;
  readonly reach: ReachVendor;
  /** The first process of the database, below which all others are. */
  readonly databasePid: number;
}

const accounts = 64;

/** A vendor in this process: it knows when it was asked. */
class ReachVendor {
  askedAtMs = 0;
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      this.askedAtMs = performance.now();
      return Response.json(briefAnswer);
    },
  });

  get port(): number {
    return this.#server.port ?? 0;
  }

  async close(): Promise<void> {
    await this.#server.stop(true);
  }
}

const briefAnswer = {
  id: "chatcmpl-reach",
  object: "chat.completion",
  created: 1_700_000_000,
  model: models.reach,
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
};

export async function startCluster(folder: string): Promise<ClusterTarget> {
  const programs = await findPostgres();
  if ("missing" in programs) throw new Error(programs.missing);
  const vendorPort = await readPort(startScript("mock-vendor.ts", []));
  const server = await PostgresServer.start(programs.bin);
  const shared = {
    SLUICE_DATABASE_URL: server.url("postgres"),
    SLUICE_SECRET: "bench-0123456789abcdef0123456789abcdef",
    SLUICE_MEDIA_FOLDER: join(folder, "cluster-media"),
  };
  const launch = async (name: string, environment: Readonly<Record<string, string>>) => {
    const own = join(folder, `cluster-${name}`);
    await mkdir(own, { recursive: true });
    return await launchGateway(own, environment);
  };
  const files = await launch("files", {});
  const one = await launch("one", { ...shared, SLUICE_NODE_NAME: "one" });
  const two = await launch("two", { ...shared, SLUICE_NODE_NAME: "two" });
  const setUp = (port: number) => ({ origin: `http://127.0.0.1:${port}`, rootToken, vendorPort });
  const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });
  const onFiles = withKey(await configureGateway(setUp(files.port)));
  const onNodes = withKey(await configureGateway(setUp(one.port)));
  const reach = new ReachVendor();
  for (const { port } of [files, one]) {
    const channel = { name: "reach", type: "openai", model: models.reach };
    await addChannel({ ...setUp(port), vendorPort: reach.port }, channel);
  }
  const keys: string[] = [];
  for (let at = 0; at < accounts; at++) {
    keys.push(await addAccount(setUp(one.port), `account-${at}`));
  }
  return {
    files: { ...files, ...onFiles },
    nodes: [
      { ...one, ...onNodes },
      { ...two, ...onNodes },
    ],
    keys,
    server,
    reach,
    databasePid: Number(
      readFileSync(join(server.folder, "data", "postmaster.pid"), "utf8").split("\n")[0],
    ),
  };
}
