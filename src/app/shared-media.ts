// The place of results when others than this process may be asked for them.
import type { Config } from "../config/config.ts";

const notShared =
  "database_url needs results to be where every node finds them: set media.storage to s3, or " +
  "media.shared_folder (SLUICE_MEDIA_FOLDER) to a folder that all nodes have mounted. Where " +
  "there is only ever one node, a folder of its own will do (docs/cluster.md)";

export function assertMediaShared({ databaseUrl, media }: Config): void {
  if (databaseUrl === null || media.s3 !== null || media.sharedFolder !== null) return;
  throw new Error(notShared);
}
