// The list of contents that Ark and MiniMax take: a text, and media with their parts in the video.
import type { JsonObject } from "../../core/json.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";

const most = { image: 9, video: 3, audio: 3 } as const;

export function contentItems(prompt: string, media: readonly JobMedia[]): JsonObject[] {
  const text = prompt === "" ? [] : [{ type: "text", text: prompt }];
  return [...text, ...media.map(mediaItem)];
}

function mediaItem(medium: JobMedia): JsonObject {
  const type = `${medium.kind}_url`;
  return { type, [type]: { url: urlOf(medium) }, role: roleOf(medium) };
}

function urlOf({ source }: JobMedia): string {
  if (source.kind === "url") return source.url;
  if (source.kind === "asset") return `asset://${source.id}`;
  return `data:${source.type};base64,${source.base64}`;
}

function roleOf({ kind, role }: JobMedia): string {
  if (role === "first-frame") return "first_frame";
  if (role === "last-frame") return "last_frame";
  return role === "source" ? `base_${kind}` : `reference_${kind}`;
}

/** The field of the first medium that breaks a rule which both vendors have. */
export function lacksMedia({ media }: VideoJob, takes: (part: JobMedia) => boolean): string | null {
  const frames = media.filter(isFrame);
  const others = media.filter((part) => !isFrame(part));
  const wrong =
    media.find((part) => !takes(part)) ??
    frames.find((part) => part.kind !== "image" || isRepeated(part, frames)) ??
    // Frames and references exclude each other.
    (frames.length > 0 ? others[0] : undefined) ??
    loneLast(frames) ??
    others.find((part) => isPastMost(part, others)) ??
    loneAudio(others);
  return wrong?.param ?? null;
}

export function isFrame({ role }: JobMedia): boolean {
  return role === "first-frame" || role === "last-frame";
}

export function isRepeated(frame: JobMedia, frames: readonly JobMedia[]): boolean {
  return frames.find(({ role }) => role === frame.role) !== frame;
}

function loneLast(frames: readonly JobMedia[]): JobMedia | undefined {
  return frames.some(({ role }) => role === "first-frame") ? undefined : frames[0];
}

function isPastMost(part: JobMedia, others: readonly JobMedia[]): boolean {
  return others.filter(({ kind }) => kind === part.kind).indexOf(part) >= most[part.kind];
}

function loneAudio(others: readonly JobMedia[]): JobMedia | undefined {
  return others.every(({ kind }) => kind === "audio") ? others[0] : undefined;
}
