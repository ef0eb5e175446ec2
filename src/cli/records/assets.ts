// sluice asset: registered files that requests may name.
import type { Command } from "commander";
import { assetCalls } from "../../admin/asset/contract.ts";
import { isObject } from "../../core/json.ts";
import { addListCommand } from "../call-command.ts";
import {
  addJsonCommand,
  control,
  printFields,
  printOne,
  readSecret,
  type CommandNeeds,
  type JsonOption,
} from "../command.ts";
import { ControlError } from "../control-client.ts";

export function addAssetCommands(program: Command, needs: CommandNeeds): void {
  const assets = program.command("asset").description("register files, and see those there are");
  addAdd(assets, needs);
  addListCommand(assets, needs, {
    description: "list the assets of every account, the newest first",
    examples: ["sluice asset list --status failed", "sluice asset list --account alice"],
    call: assetCalls.list,
    columns: ["id", "account", "name", "kind", "status", "channel", "url"],
    usual: 20,
  });
  addJsonCommand(assets, "show", {
    description: "show all that is known of an asset",
    examples: ["sluice asset show asset_01jz3k7m2n"],
  })
    .argument("<asset>", "its id")
    .action((id: string, options: JsonOption) =>
      control(needs, async (client) => {
        const [asset] = await client.all(assetCalls.list, { id });
        if (!asset) throw new ControlError(`there is no asset ${id}`);
        printFields(needs.terminal, asset, options);
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
        const asset = await client.callWithKey("POST", "/api/asset/createMedia", key, sent);
        const { Result: result } = asset;
        const { Id: id, Status: status } = isObject(result) ? result : {};
        printOne(needs.terminal, asset, `registered ${String(id)}: ${String(status)}`, options);
      }),
    );
}
