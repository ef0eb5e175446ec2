// Words of the live page.
import { plural } from "../../core/plural.ts";
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("live", "page", {
  inFlight: "In flight",
  oldestFirst: "oldest first",
  quiet: "Nothing is running",
  quietText: "Requests appear here while they run. Finished ones are under Requests.",
  age: "Age",
  bytes: "Sent",
  id: "Request ID",
  stream: "stream",
  reading: "reading the request",
  waiting: "not sent yet",
  attempt: (number: string) => `attempt ${number}`,
  stop: "Stop",
  stopLabel: (id: string) => `Stop ${id}`,
  stopTitle: (model: string) => `Stop this request to ${model}?`,
  stopEffect: (key: string) =>
    `The client using key ${key} receives nothing more and is charged for what it got so far. ` +
    "The audit trail records who stopped it.",
  wasStopped: (model: string) => `Request to ${model} stopped`,
  running: "Running now",
  channels: (enabled: string, ejected: string) => `${enabled} channels enabled, ${ejected} ejected`,
  of: (used: string, most: string) => `${used} of ${most}`,
  journal: "Journal backlog",
  oldest: (age: string) => `oldest ${age}`,
  hours: (number: string) => `${number} h`,
  days: (number: string) => plural(number, { one: "1 day", other: `${number} days` }),
});
