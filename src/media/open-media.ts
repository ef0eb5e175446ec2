// Puts the parts of media together, as configured.
import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { Deadlines } from "../core/deadline.ts";
import type { Ids } from "../core/ids.ts";
import type { Send } from "../core/outbound.ts";
import type { Config } from "../config/config.ts";
import { GuardedFetch } from "./fetch.ts";
import { FolderStorage } from "./folder.ts";
import { inspect, type Inspection, type InspectLimits } from "./inspect.ts";
import { MediaLinks } from "./links.ts";
import { systemResolve, type Resolve } from "./locate.ts";
import { MediaStore } from "./media.ts";
import { expireMedia } from "./retention.ts";
import { S3Storage } from "./s3.ts";
import { Scaler } from "./scale.ts";
import { Spool } from "./spool.ts";

interface MediaNeeds {
  config: Pick<Config, "dataFolder" | "media">;
  /** The secret of the installation. */
  secret: string;
  /** The address that clients reach the gateway under, where the configuration names none. */
  baseUrl(): string;
  clock: Clock;
  deadlines: Deadlines;
  ids: Ids;
  send: Send;
  resolve?: Resolve;
}

export interface Media {
  store: MediaStore;
  /** For every URL that a user or vendor gave, callbacks included. */
  fetch: GuardedFetch;
  links: MediaLinks;
  scaler: Scaler;
  /** Where what is on its way lies. */
  spool: Spool;
  inspect(url: string, limits: InspectLimits): Promise<Inspection>;
  /** Lets go of what is too old or too much; may be called as often as one likes. */
  expire(): Promise<void>;
}

const dayMs = 86_400_000;
/** A bucket is not listed for nothing. */
const expiryPeriodMs = 600_000;

export function openMedia(needs: MediaNeeds): Media {
  const { config, clock, ids } = needs;
  const rules = config.media;
  const folder = join(config.dataFolder, "media");
  const storage = rules.s3 ? new S3Storage(rules.s3) : new FolderStorage(folder);
  const spool = new Spool(join(folder, "arriving"));
  const fetch = new GuardedFetch({ ...needs, ...rules, resolve: needs.resolve ?? systemResolve });
  const links = new MediaLinks({
    ...needs,
    publicUrl: rules.publicUrl,
    ttlSeconds: rules.linkTtlSeconds,
  });
  const { fileBytesMax, fetchTimeoutMs, bytesMax, retentionDays } = rules;
  const store = new MediaStore({ fetch, spool, storage, links, ids, fileBytesMax, fetchTimeoutMs });
  let expiredAtMs = Number.NEGATIVE_INFINITY;
  return {
    store,
    fetch,
    links,
    scaler: new Scaler(),
    spool,
    inspect: (url, limits) => inspect({ fetch, spool }, url, limits),
    async expire() {
      if (clock.nowMs() - expiredAtMs < expiryPeriodMs) return;
      expiredAtMs = clock.nowMs();
      await expireMedia({ storage, clock, bytesMax, retentionMs: retentionDays * dayMs });
    },
  };
}
