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
import { FolderRequests, S3Requests, type RequestStorage } from "./requests.ts";
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
  /** Spool of files on their way. */
  spool: Spool;
  /** Requests of tasks that have not begun. */
  requests: RequestStorage;
  inspect(url: string, limits: InspectLimits): Promise<Inspection>;
  /** Lets go of what is too old or too much. Lists all there is: not to be called for nothing. */
  expire(): Promise<void>;
}

const dayMs = 86_400_000;
/** Longer than any task may take. */
const requestDays = 8;

export function openMedia(needs: MediaNeeds): Media {
  const { config, clock, ids } = needs;
  const rules = config.media;
  const local = join(config.dataFolder, "media");
  const folder = rules.sharedFolder ?? local;
  const storage = rules.s3 ? new S3Storage(rules.s3) : new FolderStorage(folder);
  const requests = rules.s3
    ? new S3Requests(rules.s3)
    : new FolderRequests(join(folder, "requests"));
  // Arriving files are this node's alone, wherever they will lie in the end.
  const spool = new Spool(join(local, "arriving"));
  const fetch = new GuardedFetch({ ...needs, ...rules, resolve: needs.resolve ?? systemResolve });
  const links = new MediaLinks({
    ...needs,
    publicUrl: rules.publicUrl,
    ttlSeconds: rules.linkTtlSeconds,
  });
  const { fileBytesMax, fetchTimeoutMs } = rules;
  const store = new MediaStore({ fetch, spool, storage, links, ids, fileBytesMax, fetchTimeoutMs });
  return {
    store,
    fetch,
    links,
    scaler: new Scaler(),
    spool,
    requests,
    inspect: (url, limits) => inspect({ fetch, spool }, url, limits),
    async expire() {
      const { bytesMax, retentionDays } = rules;
      await requests.expire(clock.nowMs() - requestDays * dayMs);
      await expireMedia({ storage, clock, bytesMax, retentionMs: retentionDays * dayMs });
    },
  };
}
