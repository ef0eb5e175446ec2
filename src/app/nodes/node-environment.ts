// Environment of one node of several on a machine: all that was said to the whole, a folder of its
// own, its number, the one port of all and its own.
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";

interface NodePlace {
  number: number;
  count: number;
  port: number;
  ownPort: number;
}

export function environmentOf(
  { dataFolder, media }: Config,
  environment: Environment,
  { number, count, port, ownPort }: NodePlace,
): Record<string, string> {
  const folder = resolve(dataFolder);
  const own: [string, string][] = [
    ["PORT", String(port)],
    ["SLUICE_DATA", join(folder, "nodes", String(number))],
    ["SLUICE_NODE", `${number}/${count}`],
    ["SLUICE_NODE_PORT", String(ownPort)],
  ];
  // All of them are on this machine, so they find each other's results in one folder of it.
  if (media.s3 === null && media.sharedFolder === null) {
    own.push(["SLUICE_MEDIA_FOLDER", join(folder, "media")]);
  }
  return Object.fromEntries([...Object.entries(environment).filter(isSet), ...own]);
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
