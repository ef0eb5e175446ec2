// What the video routes work with.
import type { VideoTools } from "../../gateway/video/open-video.ts";
import type { SubmitParts } from "../../gateway/video/submit.ts";
import type { Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";

export interface VideoParts extends SubmitParts, VideoTools {
  database: Database;
  store: Store;
  bodyBytesMax: number;
}
