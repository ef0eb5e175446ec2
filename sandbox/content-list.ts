// The list of contents that Ark and MiniMax take, and the rules that both have for it.
import { type Static, Type } from "../src/core/schema.ts";

const closed = { additionalProperties: false } as const;
const place = Type.Object({ url: Type.String({ minLength: 1 }) }, closed);

export const ContentItem = Type.Union([
  Type.Object({ type: Type.Literal("text"), text: Type.String({ minLength: 1 }) }, closed),
  Type.Object(
    {
      type: Type.Literal("image_url"),
      image_url: place,
      role: Type.Optional(Type.Enum(["first_frame", "last_frame", "reference_image"])),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal("video_url"),
      video_url: place,
      role: Type.Enum(["reference_video", "base_video"]),
    },
    closed,
  ),
  Type.Object(
    { type: Type.Literal("audio_url"), audio_url: place, role: Type.Enum(["reference_audio"]) },
    closed,
  ),
]);

export type Content = Static<typeof ContentItem>[];

const most = { image_url: 9, video_url: 3, audio_url: 3, text: 1 } as const;

export function promptOf(content: Content): string {
  return content.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
}

export function urlOf(item: Content[number]): string {
  if (item.type === "image_url") return item.image_url.url;
  if (item.type === "video_url") return item.video_url.url;
  return item.type === "audio_url" ? item.audio_url.url : "";
}

/** Fault of the content, in words. */
export function contentFault(content: Content): string | null {
  const roles = content.map((item) => roleOf(item));
  const isFrame = (role: string): boolean => role === "first_frame" || role === "last_frame";
  const frames = roles.filter((role) => isFrame(role));
  const others = roles.filter((role) => role !== "text" && !isFrame(role));
  if (content.length === 0) return "content must not be empty";
  if (frames.length > 0 && others.length > 0) return "frames cannot be mixed with references";
  if (new Set(frames).size < frames.length) return "each frame may be given once";
  if (frames.length === 1 && frames[0] === "last_frame") return "last_frame needs first_frame";
  if (others.length > 0 && others.every((role) => role === "reference_audio")) {
    return "audio needs an image or a video";
  }
  return countFault(content);
}

function countFault(content: Content): string | null {
  const names = Object.keys(most) as (keyof typeof most)[];
  const crowded = names.find(
    (name) => content.filter(({ type }) => type === name).length > most[name],
  );
  return crowded === undefined ? null : `at most ${most[crowded]} items of ${crowded} are allowed`;
}

/** An image without a role is the first frame. */
function roleOf(item: Content[number]): string {
  if (item.type === "text") return "text";
  return item.role ?? "first_frame";
}
