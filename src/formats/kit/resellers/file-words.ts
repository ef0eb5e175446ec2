// Files that a system message names in its words, as Qwen's long models take them. Instructions of
// every wire become a system message where they are converted.
import { isObject, type Json } from "../../../core/json.ts";
import type { VendorObjects } from "../vendor-objects.ts";

const scheme = "fileid://";
const fileWord = /fileid:\/\/[\w-]+/g;

export function nameFilesInWords(
  objects: VendorObjects,
  content: Json | undefined,
  param: string,
): void {
  if (typeof content === "string") {
    if (!content.includes(scheme)) return;
    for (const [word] of content.matchAll(fileWord)) objects.add(word.slice(scheme.length), param);
  } else if (Array.isArray(content)) {
    for (let at = 0; at < content.length; at++) {
      const part = content[at];
      if (isObject(part)) nameFilesInWords(objects, part["text"], `${param}.${at}.text`);
    }
  }
}

/** The same in those messages of a list that instruct the model. */
export function nameFilesInMessages(
  objects: VendorObjects,
  messages: Json | undefined,
  param: string,
): void {
  if (!Array.isArray(messages)) return;
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (!isObject(message)) continue;
    const { role } = message;
    if (role !== "system" && role !== "developer") continue;
    nameFilesInWords(objects, message["content"], `${param}.${at}.content`);
  }
}
