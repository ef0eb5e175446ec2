// Facts of an imgF task besides its state.
import type { ImgFResult, KeptImage } from "../../tasks/task.ts";
import type { ImgFProgress } from "../../upstreams/upstream.ts";

/** It waits until its owner says more, and nothing else is known. */
export const waiting: ImgFResult = {
  kind: "img-f",
  image: null,
  isModal: true,
  promptEn: null,
  description: null,
  buttons: [],
  properties: {},
};

export function toResult(progress: ImgFProgress, image: KeptImage | null): ImgFResult {
  const { kind, promptEn, description, buttons, properties } = progress;
  const isModal = kind === "modal";
  return { kind: "img-f", image, isModal, promptEn, description, buttons, properties };
}
