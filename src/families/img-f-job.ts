// Jobs for the imgF models: a prompt, or something to do with what came of one.

/** The family's name, which is also that of its kind of task. */
export const imgFName = "img-f";
/** The word for its routes in lists of models. */
export const imgFEndpoint = "imgF";

export const imgFActions = ["imagine", "change", "action", "blend", "describe", "modal"] as const;

export type ImgFAction = (typeof imgFActions)[number];

export interface ImgFJob {
  action: ImgFAction;
  /** The public model, as it is priced. */
  model: string;
  prompt: string | null;
  bot: "MID_JOURNEY" | "NIJI_JOURNEY" | null;
  /** Data URIs. */
  images: string[];
  mask: string | null;
  dimensions: "PORTRAIT" | "SQUARE" | "LANDSCAPE" | null;
  /** Our task that this one goes on from; it must run where that one ran. */
  parentTaskId: string | null;
  /** A button of the parent. */
  customId: string | null;
  change: "UPSCALE" | "VARIATION" | "REROLL" | null;
  /** Number of the parent's picture, from 1. */
  index: number | null;
  /** The client's own note, given back as it is. */
  state: string | null;
}
