// The gateway that a command belongs to: the one that runs on the data folder, whose address and a
// token stand in a file there that only its owner can read; or one elsewhere, by its address and a
// token. A command never makes a data folder: that is for `serve` and `restore`.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isOwned, ownerFile } from "../app/folder/owner.ts";
import type { Config } from "../config/config.ts";
import type { ConfigSource } from "../config/load.ts";
import { isObject, parseJson, type Json } from "../core/json.ts";
import { isBegun } from "../store/postgres/read-still.ts";
import { assertFolderUsable } from "../store/data-folder.ts";
import { isFolderLocked } from "../store/sqlite/lock.ts";
import { mainFile } from "../store/sqlite/open.ts";
import { ControlClient, ControlError, type ServerAddress } from "./control-client.ts";

/** Runs a gateway of its own for as long as one command needs it. */
export type WithServer = (
  config: Config,
  run: (server: ServerAddress) => Promise<void>,
  source: ConfigSource,
) => Promise<void>;

interface PlaceNeeds {
  /** Source of the configuration. */
  source: ConfigSource;
  withServer: WithServer;
  warn(text: string): void;
}

export const noRows = `there is no gateway's data in the database: "sluice serve" makes it`;

/** With the gateway elsewhere, or that of the data folder, or one that runs only for this. */
export async function withControl(
  config: Config,
  { source, withServer, warn }: PlaceNeeds,
  run: (client: ControlClient) => Promise<void>,
): Promise<void> {
  const { dataFolder, databaseUrl, remote } = config;
  const connect = (server: ServerAddress) => run(new ControlClient(server));
  if (remote.url !== null) return await connect(readRemote(remote.url, remote.token, warn));
  if (existsSync(dataFolder)) assertFolderUsable(dataFolder);
  if (existsSync(dataFolder) && (isFolderLocked(dataFolder) || (await isOwned(dataFolder)))) {
    return await connect(readServerFile(join(dataFolder, ownerFile)));
  }
  if (databaseUrl === null) assertData(dataFolder);
  else if (!(await isBegun(databaseUrl))) throw new ControlError(noRows);
  await withServer(config, connect, source);
}

export function assertData(folder: string): void {
  if (existsSync(join(folder, mainFile))) return;
  throw new ControlError(
    `there is no gateway's data in ${resolve(folder)}: "sluice serve" makes it, ` +
      "or say where the gateway is with --data or SLUICE_DATA, or --url and a token",
  );
}

function readRemote(text: string, token: string | null, warn: (text: string) => void) {
  const url = readAddress(text);
  if (token === null) {
    throw new ControlError(
      "a gateway elsewhere needs an access token, in SLUICE_TOKEN or by --token - from the " +
        'standard input: "sluice user token root" makes one there',
    );
  }
  if (url.protocol === "http:" && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)) {
    warn(`The token goes to ${url.host} without encryption: anyone on the way can read it.\n`);
  }
  return { url: url.href.replace(/\/+$/, ""), token };
}

/** Address of a gateway elsewhere. */
export function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new ControlError("--url must be an address such as https://gateway.example.com");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ControlError(
      "--url must hold no credential: others read addresses. Use SLUICE_TOKEN",
    );
  }
  return url;
}

/** Address of the gateway that runs on a data folder. */
export function addressHere(folder: string): string {
  const path = join(folder, ownerFile);
  const state = readStateOrNull(path);
  if (isObject(state) && typeof state["url"] === "string") return state["url"];
  throw new Error(`${path} does not say where a gateway is: none runs on this data folder`);
}

function readServerFile(path: string): ServerAddress {
  const state = readStateOrNull(path);
  const url = isObject(state) ? state["url"] : null;
  const token = isObject(state) ? state["token"] : null;
  if (typeof url === "string" && typeof token === "string") return { url, token };
  throw new ControlError(
    `a gateway uses the data folder, but ${path} does not say how to reach it: ` +
      "it is starting, it is stopping, or it belongs to another user",
  );
}

function readStateOrNull(path: string): Json {
  try {
    return parseJson(readFileSync(path));
  } catch {
    return null;
  }
}
