// Announcements of a program of this lineage: one notice, and a list with dates.
import { isObject } from "../../../core/json.ts";
import { objectOf } from "../cells.ts";
import type { SnapshotAnnouncement } from "../snapshot.ts";
import { digest } from "../../../identity/secrets.ts";
import type { Options } from "./options.ts";

/** There are no ids; the same words are the same announcement. */
const refOf = (text: string) => digest(text).slice(0, 32);

export function announcementsOf(options: Options): SnapshotAnnouncement[] {
  const notice = options.text("Notice");
  const document = objectOf(`{"list":${options.text("console_setting.announcements") || "[]"}}`);
  const list = document?.["list"];
  const dated = (Array.isArray(list) ? list.filter(isObject) : []).map((item) => {
    const at = Date.parse(String(item["publishDate"] ?? ""));
    const startsAt = Number.isNaN(at) ? null : Math.floor(at / 1000);
    return { text: String(item["content"] ?? ""), startsAt };
  });
  return [{ text: notice, startsAt: null }, ...dated]
    .filter(({ text }) => text.trim() !== "")
    .map(({ text, startsAt }) => ({ ref: refOf(text), title: titleOf(text), text, startsAt }));
}

/** Its first line that has words, without the marks of Markdown. */
function titleOf(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/[#*_`>]/g, "").trim());
  return lines.find((line) => line !== "") ?? "Notice";
}
