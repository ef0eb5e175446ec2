// Usage as Converse counts it: the input leaves out what the cache read and wrote, the total has
// them in it.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readObjects } from "../kit/fields.ts";
import { readCount, toUsage, type Usage } from "../usage.ts";

/** Null when the vendor sent nothing that can be trusted. */
export function readConverseUsage(report: unknown): Usage | null {
  if (!isObject(report)) return null;
  const plain = readCount(report["inputTokens"]);
  const cacheRead = countIn(report, "cacheReadInputToken") ?? 0;
  const cacheWrite = countIn(report, "cacheWriteInputToken") ?? 0;
  return toUsage({
    input: plain === null ? null : plain + cacheRead + cacheWrite,
    output: readCount(report["outputTokens"]),
    total: readCount(report["totalTokens"]),
    cacheRead,
    cacheWrite,
    cacheWriteHour: readHourWrites(report),
  });
}

/** Told under two names, of which either may be missing. */
function countIn(report: JsonObject, name: string): number | null {
  return readCount(report[`${name}s`]) ?? readCount(report[`${name}Count`]);
}

/** Null where writes are not told apart by how long they last. */
function readHourWrites({ cacheDetails: details }: JsonObject): number | null {
  if (!Array.isArray(details)) return null;
  const ofAnHour = readObjects(details).filter(({ ttl }) => ttl === "1h");
  return ofAnHour.reduce((sofar, { inputTokens }) => sofar + (readCount(inputTokens) ?? 0), 0);
}
