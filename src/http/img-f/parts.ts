// What the imgF routes work with.
import type { ImgFTools } from "../../gateway/img-f/open-img-f.ts";
import type { SubmitImgFParts } from "../../gateway/img-f/submit.ts";

export interface ImgFParts extends SubmitImgFParts, ImgFTools {
  bodyBytesMax: number;
}
