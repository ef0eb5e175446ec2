// What the video routes work with.
import type { Assets } from "../../assets/assets.ts";
import type { VideoTools } from "../../gateway/video/open-video.ts";
import type { SubmitParts } from "../../gateway/video/submit.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

export interface VideoParts extends SubmitParts, VideoTools {
  database: Database;
  store: Store;
  assets: Pick<Assets, "resolve">;
  bodyBytesMax: number;
}
