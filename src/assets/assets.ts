// The registry of assets: taken at once, fetched and looked at in the background, a few at a time,
// then registered with the upstream that will use them. What was not judged when the process ended
// is judged after the next start.
import type { Clock, Stop, Timers } from "../core/clock.ts";
import { GatewayError } from "../core/errors.ts";
import type { AccountId, AssetId, Ids } from "../core/ids.ts";
import { describe, type Log } from "../core/log.ts";
import type { Caller } from "../identity/caller.ts";
import type { Media } from "../media/open-media.ts";
import type { Pieces } from "../media/spool.ts";
import type { Database } from "../store/database.ts";
import {
  fromAssetRow,
  ownMediaId,
  ownUrl,
  toPlaceCells,
  toAssetRow,
  type Asset,
  type AssetError,
  type AssetKind,
} from "./asset.ts";
import type { AssetClaims } from "./claims.ts";
import { assetLimits, judgeInspection } from "./limits.ts";
import { keepUpload } from "./keep-upload.ts";
import { placeAsset, type PlacerPace, type Registrar } from "./placer.ts";
import {
  deleteAsset,
  findAsset,
  listProcessing,
  saveAsset,
  savePlace,
  saveVerdict,
} from "./queries.ts";

interface AssetsNeeds {
  database: Database;
  claims: AssetClaims;
  media: Pick<Media, "inspect"> & {
    fetch: Pick<Media["fetch"], "accepts">;
    store: Pick<Media["store"], "keep" | "link" | "remove">;
  };
  registrar: Registrar;
  /** Pace of asking an upstream about an asset. */
  pace: PlacerPace;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  log: Log;
}

interface AssetInput {
  url: string;
  name: string;
  kind: AssetKind;
}

type Owner = Pick<Caller, "accountId" | "group">;

const checksAtOnce = 8;
/** A server may take all of the time it has, so one account leaves room for others. */
const checksPerAccount = 2;
const uploadsPerAccount = 2;
const waitingPerAccountMax = 50;
const fetchTimeoutMs = 60_000;
/** Interval at which a node looks for what others have left, and tells that it has its own. */
const claimMs = 4000;

export class Assets {
  readonly #needs: AssetsNeeds;
  /** Everything that is not judged yet. */
  readonly #open = new Set<Asset>();
  /** Assets still to be looked at. */
  readonly #waiting: Asset[] = [];
  readonly #saving = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Accounts whose media is being looked at, once for each. */
  readonly #checking: AccountId[] = [];
  /** Accounts whose files are coming in, once for each. */
  readonly #uploading: AccountId[] = [];
  readonly #stop: Stop;

  constructor(needs: AssetsNeeds) {
    this.#needs = needs;
    const { claims, timers } = needs;
    this.#stop = claims.isSole ? () => {} : timers.every(claimMs, () => void this.#keepUp());
  }

  async #keepUp(): Promise<void> {
    try {
      await this.#needs.claims.renew(Array.from(this.#open, ({ id }) => id));
      await this.resume();
    } catch (error) {
      this.#needs.log.warn("assets could not be claimed", { error: describe(error) });
    }
  }

  /** Takes up what the last process left, or a node that is gone. */
  async resume(): Promise<void> {
    const { database, claims } = this.#needs;
    for (const asset of (await listProcessing(database)).map(fromAssetRow)) {
      const isKnown = [...this.#open].some(({ id }) => id === asset.id);
      if (isKnown || !(await claims.take(asset.id))) continue;
      this.#open.add(asset);
      // An asset that an upstream has already was found fit before.
      if (asset.place) void this.#judge(asset, () => this.#place(asset));
      else this.#waiting.push(asset);
    }
    this.#next();
  }

  async register(owner: Owner, input: AssetInput): Promise<Asset> {
    const url = this.#needs.media.fetch.accepts(input.url);
    if (url === null) {
      const message = "url must be a public http or https address";
      throw new GatewayError("invalid_request", { param: "url", message });
    }
    this.#checkRoom(owner.accountId);
    const asset = await this.#create(owner, { ...input, url });
    this.#waiting.push(asset);
    this.#next();
    return asset;
  }

  /** Takes a file of one's own, which is looked at while it comes. */
  async upload(
    owner: Owner,
    { kind, name, pieces }: Omit<AssetInput, "url"> & { pieces: Pieces },
  ): Promise<Asset> {
    const { accountId } = owner;
    this.#checkRoom(accountId);
    if (this.#uploading.filter((one) => one === accountId).length >= uploadsPerAccount) {
      const message = "Too many files of this account are being uploaded.";
      throw new GatewayError("too_many_requests", { message, retryAfterSeconds: 5 });
    }
    this.#uploading.push(accountId);
    const mediaId = await keepUpload(this.#needs.media.store, kind, pieces).finally(() =>
      this.#uploading.splice(this.#uploading.indexOf(accountId), 1),
    );
    const asset = await this.#create(owner, { kind, name, url: ownUrl(mediaId) });
    void this.#judge(asset, () => this.#place(asset));
    return this.#linked(asset);
  }

  async #create({ accountId, group }: Owner, input: AssetInput): Promise<Asset> {
    const { clock, ids, database } = this.#needs;
    const atMs = clock.nowMs();
    const asset: Asset = {
      ...input,
      id: ids.asset(),
      accountId,
      group,
      status: "processing",
      error: null,
      place: null,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    };
    await this.#needs.claims.take(asset.id);
    await saveAsset(database, toAssetRow(asset));
    this.#open.add(asset);
    return asset;
  }

  /** With an address that can be fetched for a while, where the file is here. */
  #linked(asset: Asset): Asset {
    return { ...asset, url: this.addressOf(asset.url) };
  }

  addressOf(url: string): string {
    const mediaId = ownMediaId(url);
    return mediaId === null ? url : this.#needs.media.store.link(mediaId);
  }

  /** Null when this account has none with this id. */
  async find(accountId: AccountId, id: string): Promise<Asset | null> {
    const row = await findAsset(this.#needs.database, accountId, id);
    return row && this.#linked(fromAssetRow(row));
  }

  /** False when this account has none with this id. What an upstream has of it stays there. */
  async remove(accountId: AccountId, id: string): Promise<boolean> {
    const { database, media } = this.#needs;
    const row = await findAsset(database, accountId, id);
    const mediaId = row && ownMediaId(row.url);
    if (!(await deleteAsset(database, accountId, id))) return false;
    if (mediaId) await media.store.remove(mediaId);
    return true;
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

  /** Assets not judged yet are for the next start; only what is being saved is waited for. */
  async close(): Promise<void> {
    this.#stop();
    this.#closing.abort();
    // Others need not wait for what this node has not judged.
    const { claims } = this.#needs;
    await Promise.allSettled(Array.from(this.#open, ({ id }) => claims.end(id)));
    await Promise.allSettled(this.#saving);
  }

  #checkRoom(accountId: AccountId): void {
    const own = [...this.#open].filter((asset) => asset.accountId === accountId);
    if (own.length < waitingPerAccountMax) return;
    const message = "Too many assets of this account are being processed.";
    throw new GatewayError("too_many_requests", { message, retryAfterSeconds: 5 });
  }

  #next(): void {
    while (!this.#closing.signal.aborted && this.#checking.length < checksAtOnce) {
      const at = this.#waiting.findIndex(({ accountId }) => this.#hasTurn(accountId));
      const [asset] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (!asset) return;
      const { accountId } = asset;
      this.#checking.push(accountId);
      void this.#judge(asset, async () => {
        const fault = await this.#check(asset).finally(() => {
          this.#checking.splice(this.#checking.indexOf(accountId), 1);
          this.#next();
        });
        // A slow upstream keeps nobody else's media waiting.
        return fault ?? (await this.#place(asset));
      });
    }
  }

  #hasTurn(accountId: AccountId): boolean {
    return this.#checking.filter((one) => one === accountId).length < checksPerAccount;
  }

  async #judge(asset: Asset, find: () => Promise<AssetError | null>): Promise<void> {
    const closing = this.#closing.signal;
    try {
      const fault = await find();
      if (!closing.aborted) await this.#saveVerdict(asset.id, fault);
    } catch (error) {
      if (closing.aborted) return;
      // It stays as it is and is taken up again after the next start.
      const fields = { asset: asset.id, error: describe(error) };
      this.#needs.log.error("an asset could not be judged", fields);
    } finally {
      this.#open.delete(asset);
      // A failed end runs out by itself.
      if (!closing.aborted) await this.#needs.claims.end(asset.id).catch(() => {});
    }
  }

  async #check({ kind, url }: Asset): Promise<AssetError | null> {
    // It was looked at before it was taken.
    if (ownMediaId(url) !== null) return null;
    const limits = { bytesMax: assetLimits[kind].bytesMax, timeoutMs: fetchTimeoutMs };
    const inspection = await this.#needs.media.inspect(url, limits);
    this.#closing.signal.throwIfAborted();
    return judgeInspection(kind, inspection);
  }

  async #place(asset: Asset): Promise<AssetError | null> {
    const { database } = this.#needs;
    return await placeAsset(
      {
        ...this.#needs,
        placed: ({ id }, place) => this.#save(savePlace(database, id, toPlaceCells(place))),
      },
      this.#linked(asset),
      this.#closing.signal,
    );
  }

  async #saveVerdict(id: AssetId, fault: AssetError | null): Promise<void> {
    const { clock, database } = this.#needs;
    const verdict = {
      status: fault ? "failed" : "active",
      error: fault && JSON.stringify(fault),
      updated_at_ms: clock.nowMs(),
    } as const;
    await this.#save(saveVerdict(database, id, verdict));
  }

  async #save(saving: Promise<void>): Promise<void> {
    this.#saving.add(saving);
    try {
      await saving;
    } finally {
      this.#saving.delete(saving);
    }
  }
}
