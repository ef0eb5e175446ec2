// The media of a videoD request: frames come as a pair and exclude reference images.
import type { JsonObject } from "../../core/json.ts";
import { anyForm, readMedia, urlAlone, urlOrData } from "../kit/media.ts";
import { invalidValue, missing } from "../kit/refuse.ts";
import type { JobMedia } from "../video-job.ts";
import type { Model } from "./models.ts";

const audiosMax = 3;
const image = { kind: "image", role: "reference", forms: urlOrData } as const;
const frame = { ...image, role: "first-frame" } as const;

export function readAllMedia(body: JsonObject, model: Model): JobMedia[] {
  const frames = readFrames(body);
  const images = readImages(body, model);
  if (frames.length > 0 && images.length > 0) {
    throw invalidValue("referenceImages", "cannot be combined with first_image and last_image");
  }
  const audios = readAudios(body);
  if (audios.length > 0 && images.length === 0) {
    throw invalidValue("referenceAudios", "needs at least one entry in referenceImages");
  }
  return [...frames, ...images, ...readVideos(body, model), ...audios];
}

function readFrames(body: JsonObject): JobMedia[] {
  const first = readMedia(body, ["first_image"], frame);
  const last = readMedia(body, ["last_image"], { ...frame, role: "last-frame" });
  if (first.length > 0 && last.length === 0) throw missing("last_image");
  if (last.length > 0 && first.length === 0) throw missing("first_image");
  return [...first, ...last];
}

function readImages(body: JsonObject, { imagesMax }: Model): JobMedia[] {
  const images = [
    ...readMedia(body, ["referenceImages", "images"], image),
    ...readMedia(body, ["image", "input_reference"], { ...image, forms: anyForm }),
  ];
  if (images.length > imagesMax)
    throw invalidValue("referenceImages", `can be at most ${imagesMax}`);
  return images;
}

function readVideos(body: JsonObject, { videosMax }: Model): JobMedia[] {
  const rule = { kind: "video", role: "reference", forms: urlAlone } as const;
  const videos = readMedia(body, ["referenceVideos"], rule);
  if (videos.length <= videosMax) return videos;
  const problem = videosMax === 0 ? "needs a pro model" : `can be at most ${videosMax}`;
  throw invalidValue("referenceVideos", problem);
}

/** Only addresses count here; what else is in the list is passed over. */
function readAudios(body: JsonObject): JobMedia[] {
  const value = body["referenceAudios"] ?? [];
  const list = Array.isArray(value) ? value : [value];
  const kept = list.map((item) =>
    typeof item === "string" && /^https?:/i.test(item) ? item : null,
  );
  if (kept.filter((url) => url !== null).length > audiosMax) {
    throw invalidValue("referenceAudios", `can be at most ${audiosMax}`);
  }
  const rule = { kind: "audio", role: "reference", forms: urlAlone } as const;
  return kept.flatMap((url, index) => {
    if (url === null) return [];
    const name = `referenceAudios.${index}`;
    return readMedia({ [name]: url }, [name], rule);
  });
}
