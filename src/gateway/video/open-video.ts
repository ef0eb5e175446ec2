// Puts the parts of videos together, as configured.
import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Seal } from "../../core/seal.ts";
import { readSettingsOf } from "../../distribution/queries.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Media } from "../../media/open-media.ts";
import type { Database } from "../../store/database.ts";
import type { AttemptParts } from "../attempt.ts";
import type { TaskTools } from "../task/open-tasks.ts";
import type { VendorParts } from "../task/vendor-call.ts";
import { renderVideo, type LinkTo } from "./render.ts";
import type { SubmitParts } from "./submit.ts";
import { VideoWorker } from "./worker.ts";

type Given = AttemptParts &
  Omit<VendorParts, "readRetired" | "vendorCallMs"> &
  Pick<SubmitParts, "ids" | "prices" | "balances">;

export interface VideoNeeds extends Given {
  config: Pick<Config, "tasks" | "media">;
  database: Database;
  seal: Seal;
  log: Log;
  media: Media;
}

export interface Video {
  parts: SubmitParts & VideoTools;
}

export interface VideoTools extends TaskTools {
  worker: VideoWorker;
  media: MediaStore;
  linkTo: LinkTo;
}

export function openVideo(needs: VideoNeeds, tools: TaskTools): Video {
  const { config, database, media, log } = needs;
  const linkTo: LinkTo = ({ result }) =>
    result?.kind === "kept" ? media.store.link(result.mediaId) : null;
  const vendors: VendorParts = {
    ...needs,
    readRetired: (id) => readSettingsOf(database, needs.seal, id),
    vendorCallMs: config.tasks.callMs,
  };
  const pollsPerChannelMax = config.tasks.pollsPerChannel;
  const worker = new VideoWorker({ ...vendors, log, keeper: media.store, pollsPerChannelMax });
  tools.kinds.add("video", { worker, render: (task) => renderVideo(task, linkTo) });
  return {
    parts: {
      ...needs,
      ...vendors,
      ...tools,
      worker,
      linkTo,
      media: media.store,
      needs: { fetch: media.fetch, fetchTimeoutMs: config.media.fetchTimeoutMs },
    },
  };
}
