// Makes a find small: whatever can go without the find going is taken out.
import type { HoldCase } from "./generate/cases.ts";
import { isObject, placesIn, withoutAt } from "./generate/json.ts";
import { judge, type Verdict } from "./judge.ts";

/** The same reason, without what is particular to where it stands. */
function reasonOf(verdict: Verdict): string | null {
  if (verdict.kind !== "short") return null;
  return verdict.billMicros === null ? "forbidden" : "payable";
}

export function shrink(holdCase: HoldCase): HoldCase {
  const reason = reasonOf(judge(holdCase));
  let { body } = holdCase;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const path of placesIn(body).filter((one) => one.length > 0)) {
      const less = withoutAt(body, path);
      if (!isObject(less) || JSON.stringify(less) === JSON.stringify(body)) continue;
      if (reasonOf(judge({ ...holdCase, body: less })) !== reason) continue;
      body = less;
      isSmaller = true;
      break;
    }
  }
  return { ...holdCase, body };
}

/** A find as people read it, and as it is added to the corpus. */
export function tell(holdCase: HoldCase): string {
  const small = shrink(holdCase);
  const verdict = judge(small);
  const { name, wire, upstream, body } = small;
  return `${JSON.stringify(verdict)}\n${JSON.stringify({ name, wire, upstream, body })}`;
}
