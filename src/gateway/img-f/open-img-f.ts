// Puts the parts of imgF together, as configured.
import type { Config } from "../../config/config.ts";
import type { Log } from "../../core/log.ts";
import type { Seal } from "../../core/seal.ts";
import { readSettingsOf } from "../../distribution/queries.ts";
import type { MediaStore } from "../../media/media.ts";
import type { Database } from "../../store/database.ts";
import type { TaskTools } from "../task/open-tasks.ts";
import type { VendorParts } from "../task/vendor-call.ts";
import { renderImgFTask, type LinkTo } from "./render.ts";
import type { SubmitImgFParts } from "./submit.ts";
import { ImgFWorker } from "./worker.ts";

type Given = Omit<SubmitImgFParts, keyof TaskTools | "readRetired" | "vendorCallMs">;

export interface ImgFNeeds extends Given {
  config: Pick<Config, "tasks">;
  database: Database;
  seal: Seal;
  log: Log;
  media: MediaStore;
}

export interface ImgFTools extends TaskTools {
  media: MediaStore;
  linkTo: LinkTo;
}

export function openImgF(needs: ImgFNeeds, tools: TaskTools): SubmitImgFParts & ImgFTools {
  const { config, database, media } = needs;
  const vendors: VendorParts = {
    ...needs,
    readRetired: (id) => readSettingsOf(database, needs.seal, id),
    vendorCallMs: config.tasks.callMs,
  };
  const linkTo: LinkTo = (mediaId) => media.link(mediaId);
  const render = (task: Parameters<typeof renderImgFTask>[0]) => renderImgFTask(task, linkTo);
  const worker = new ImgFWorker({ ...vendors, media, log: needs.log });
  // The dialect's callbacks get the task itself.
  tools.kinds.add("img-f", { worker, render, tell: render });
  return { ...needs, ...vendors, ...tools, media, linkTo };
}
