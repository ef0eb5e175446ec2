// sluice asset: registered files that requests may name.
import type { Command } from "commander";
import type { JsonObject } from "../../core/json.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  printJson,
  printOne,
  readSecret,
  wholeOption,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError, type ControlClient } from "../control-client.ts";
import { renderFields } from "./fields.ts";
import { usernameOf } from "./names.ts";
import type { Column } from "../table.ts";

interface AssetOptions extends JsonOption {
  account?: string;
  kind?: string;
  status?: string;
  limit?: number;
}

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "ACCOUNT", from: "account" },
  { title: "NAME", from: "name" },
  { title: "KIND", from: "kind" },
  { title: "STATUS", from: "status" },
  { title: "CHANNEL", from: "channel" },
  { title: "URL", from: "url" },
];

const path = "/api/assets";
const listedUsual = 20;

export function addAssetCommands(program: Command, needs: CommandNeeds): void {
  const assets = program.command("asset").description("register files, and see those there are");
  addAdd(assets, needs);
  addListCommand(assets, needs, {
    description: "list the assets of every account, the newest first",
    examples: ["sluice asset list --status failed", "sluice asset list --account alice"],
    columns,
    read: (client, options: AssetOptions) => readAssets(client, options),
  })
    .option("--account <user>", "only those of this account, by user name or id")
    .option("--kind <kind>", "image, video or audio")
    .option("--status <status>", "processing, active or failed")
    .option("--limit <count>", `how many at most (default: ${listedUsual})`, wholeOption);
  addJsonCommand(assets, "show", {
    description: "show all that is known of an asset",
    examples: ["sluice asset show asset_01jz3k7m2n"],
  })
    .argument("<asset>", "its id")
    .action((id: string, options: JsonOption) =>
      control(needs, async (client) => {
        const [found] = await client.all(path, { id });
        if (!found) throw new ControlError(`there is no asset ${id}`);
        if (options.json) printJson(needs.terminal, found);
        else needs.terminal.write(renderFields(found));
      }),
    );
}

function addAdd(assets: Command, needs: CommandNeeds): void {
  addJsonCommand(assets, "add", {
    description: "register a file for the account of an API key",
    examples: ["sluice asset add https://example.com/fox.png --kind image --key - < key.txt"],
  })
    .argument("<address>", "where the file is")
    .requiredOption("--kind <kind>", "image, video or audio")
    .requiredOption("--key <text>", "an API key of the account; - reads it")
    .option("--name <name>", "what to call it")
    .action((address: string, options: JsonOption & { kind: string; key: string; name?: string }) =>
      control(needs, async (client) => {
        const key = await readSecret(needs.terminal, options.key);
        const body = { url: address, assetType: options.kind, name: options.name };
        const sent = JSON.stringify(body);
        const made = await client.callWithKey("POST", "/api/asset/createMedia", key, sent);
        const result = resultOf(made);
        const text = `registered ${String(result["Id"])}: ${String(result["Status"])}`;
        printOne(needs.terminal, made, text, options);
      }),
    );
}

function resultOf({ Result: result }: JsonObject): JsonObject {
  return typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};
}

async function readAssets(client: ControlClient, options: AssetOptions): Promise<JsonObject[]> {
  const { account, kind, status, limit = listedUsual } = options;
  const query = {
    ...(account !== undefined && { account: await usernameOf(client, account) }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
  };
  const rows: JsonObject[] = [];
  for await (const page of client.pages(path, query)) {
    rows.push(...page);
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}
