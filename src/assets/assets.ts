// The registry of assets: taken at once, fetched and looked at in the background, a few at a time.
// What was not judged when the process ended is judged after the next start.
import type { Clock } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId, AssetId, Ids } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Media } from "../media/open-media.ts";
import type { Inspection } from "../media/inspect.ts";
import type { Database } from "../store/database.ts";
import { fromRow, toRow, type Asset, type AssetError, type AssetKind } from "./asset.ts";
import { assetLimits, judgeMedia } from "./limits.ts";
import { findAsset, listProcessing, saveAsset, saveVerdict } from "./queries.ts";

export interface AssetParts {
  database: Database;
  media: Pick<Media, "inspect"> & { fetch: Pick<Media["fetch"], "accepts"> };
  clock: Clock;
  ids: Ids;
  log: Log;
}

export interface AssetInput {
  url: string;
  name: string;
  kind: AssetKind;
}

const checksAtOnce = 4;
const waitingPerAccountMax = 50;
const fetchTimeoutMs = 60_000;

export class Assets {
  readonly #parts: AssetParts;
  readonly #waiting: Asset[] = [];
  readonly #running = new Set<Asset>();
  readonly #saving = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: AssetParts) {
    this.#parts = parts;
  }

  /** Takes up what the last process left. */
  async resume(): Promise<void> {
    this.#waiting.push(...(await listProcessing(this.#parts.database)).map(fromRow));
    this.#next();
  }

  async register(accountId: AccountId, input: AssetInput): Promise<Asset> {
    const { clock, ids, database, media } = this.#parts;
    const url = media.fetch.accepts(input.url);
    if (url === null) {
      const message = "url must be a public http or https address";
      throw new GatewayError("invalid_request", { param: "url", message });
    }
    this.#checkRoom(accountId);
    const atMs = clock.nowMs();
    const asset: Asset = {
      ...input,
      id: ids.asset(),
      accountId,
      url,
      status: "processing",
      error: null,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    };
    await saveAsset(database, toRow(asset));
    this.#waiting.push(asset);
    this.#next();
    return asset;
  }

  /** Null when this account has none with this id. */
  async find(accountId: AccountId, id: string): Promise<Asset | null> {
    const row = await findAsset(this.#parts.database, accountId, id);
    return row && fromRow(row);
  }

  /** For a request that names it in `param`: an asset of the account that may be used. */
  async resolve(accountId: AccountId, id: string, param: string): Promise<Asset> {
    const asset = await this.find(accountId, id);
    if (asset?.status === "active") return asset;
    const message = asset
      ? `${param} names an asset that is ${asset.status}, not active`
      : `${param} names an asset that does not exist`;
    throw new GatewayError("invalid_request", { param, message });
  }

  /** What is not judged yet is for the next start; only verdicts on their way are waited for. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#saving);
  }

  #checkRoom(accountId: AccountId): void {
    const open = [...this.#waiting, ...this.#running];
    if (open.filter((asset) => asset.accountId === accountId).length < waitingPerAccountMax) return;
    const message = "Too many assets of this account are being processed.";
    throw new GatewayError("too_many_requests", { message, retryAfterSeconds: 5 });
  }

  #next(): void {
    while (!this.#isClosed && this.#running.size < checksAtOnce) {
      const asset = this.#waiting.shift();
      if (!asset) return;
      this.#running.add(asset);
      void this.#check(asset).finally(() => {
        this.#running.delete(asset);
        this.#next();
      });
    }
  }

  async #check({ id, kind, url }: Asset): Promise<void> {
    const { log, media } = this.#parts;
    try {
      const limits = { bytesMax: assetLimits[kind].bytesMax, timeoutMs: fetchTimeoutMs };
      const fault = toFault(kind, await media.inspect(url, limits));
      if (!this.#isClosed) await this.#save(id, fault);
    } catch (error) {
      // It stays as it is and is taken up again after the next start.
      log.error("an asset could not be checked", { asset: id, error: describe(error) });
    }
  }

  async #save(id: AssetId, fault: AssetError | null): Promise<void> {
    const { clock, database } = this.#parts;
    const saving = saveVerdict(database, id, {
      status: fault ? "failed" : "active",
      error: fault && JSON.stringify(fault),
      updated_at_ms: clock.nowMs(),
    });
    this.#saving.add(saving);
    try {
      await saving;
    } finally {
      this.#saving.delete(saving);
    }
  }
}

function toFault(kind: AssetKind, inspection: Inspection): AssetError | null {
  switch (inspection.kind) {
    case "not fetchable":
      return { code: "NotFetchable", message: "The URL could not be fetched." };
    case "too large": {
      const megabytes = assetLimits[kind].bytesMax / 1024 / 1024;
      return { code: "TooLarge", message: `The file is larger than ${megabytes} MB.` };
    }
    case "not media":
      return judgeMedia(kind, null);
    case "media":
      return judgeMedia(kind, inspection.probe);
  }
}
