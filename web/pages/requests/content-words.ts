// Words on captured contents of requests.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("requests", "content", {
  searchKey: "Key name begins with",
  content: "Content",
  show: "Show content",
  showNote: "Captured and redacted. Viewing other people's content is recorded in the audit trail.",
  none: "Content is not stored unless it is captured.",
  request: "Request",
  noAnswer: "No response.",
  sameAnswer: "The client received the same response.",
  cut: "Truncated: part of it was too long to store.",
  until: (at: string) => `Deleted at ${at}.`,
  capture: "Capture",
  captureTitle: "Capture the next requests",
  captureText:
    "Stores the content of the next matching text requests, for up to 15 minutes, without " +
    "credentials, e-mail addresses or card numbers. Deleted after a day.",
  anyKey: "Any key",
  keyOf: (name: string, owner: string) => `${name} (${owner})`,
  anyModel: "Any",
  anyChannel: "Any channel",
  kept: "Captured in the last day",
  ofEveryone: "Everyone's",
  takenOf: (taken: number, all: number) => `${taken} of ${all}`,
  remove: "Delete captured content",
  started: (count: number) =>
    count === 1 ? "The next request is captured" : `The next ${count} requests are captured`,
});
