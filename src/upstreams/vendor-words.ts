// Words of their own that vendors of OpenAI's wire have, as data: for what went wrong, and for what
// a model thought. A name that means the same wherever it is met stands for all; one that others
// use for something else stands with the hosts that mean it so.
import { remembered } from "../catalogue/rules/remembered.ts";

/** `account-load`: too much of all models together, where others limit each apart. */
export type FaultMeaning = "credit" | "load" | "account-load" | "content" | "size" | "channel";

export interface ThoughtWords {
  /** Under which a turn of the model carries what it thought. */
  name: "reasoning_content" | "reasoning";
  /** Models whose turns may carry it; others refuse it under any name. Absent: all of them. */
  isTakenBy?: RegExp;
  /** Models that refuse tools where a turn lacks the field, be it empty. */
  isNeededBy?: RegExp;
}

interface VendorWords {
  host: RegExp;
  /** Faults by the code or the type of an error. */
  faults?: Readonly<Record<string, FaultMeaning>>;
  thoughts?: ThoughtWords;
}

const anywhere: Readonly<Record<string, FaultMeaning>> = {
  // DashScope.
  Arrearage: "credit",
  DataInspectionFailed: "content",
  data_inspection_failed: "content",
  // Moonshot.
  exceeded_current_quota_error: "credit",
  rate_limit_reached_error: "account-load",
  engine_overloaded_error: "load",
};

const vendors: readonly VendorWords[] = [
  {
    host: /^dashscope[\w-]*\.aliyuncs\.com$/,
    // Its name for too many tokens in a minute.
    faults: { insufficient_quota: "load" },
  },
  {
    host: /(?:^|\.)(?:bigmodel\.cn|z\.ai)$/,
    faults: {
      "1112": "credit",
      "1113": "credit",
      "1121": "credit",
      "1211": "channel",
      "1261": "size",
      "1301": "content",
      "1302": "load",
      "1303": "load",
      "1304": "load",
      "1305": "load",
      "1308": "account-load",
      // A plan that has ended, and one without this model.
      "1309": "credit",
      "1310": "account-load",
      "1311": "channel",
      "1312": "load",
    },
    thoughts: { name: "reasoning_content" },
  },
  {
    host: /(?:^|\.)moonshot\.(?:ai|cn)$/,
    faults: { content_filter: "content" },
    thoughts: { name: "reasoning_content" },
  },
  {
    host: /(?:^|\.)deepseek\.com$/,
    thoughts: { name: "reasoning_content", isNeededBy: /(?:^|[/-])v[4-9]/ },
  },
  { host: /(?:^|\.)cerebras\.ai$/, thoughts: { name: "reasoning" } },
  { host: /(?:^|\.)groq\.com$/, thoughts: { name: "reasoning", isTakenBy: /gpt-oss/ } },
];

const wordsAt = remembered((baseUrl): VendorWords | null => {
  const { hostname } = URL.parse(baseUrl) ?? { hostname: "" };
  return vendors.find(({ host }) => host.test(hostname)) ?? null;
});

/** Null where the names say no more than the status does. */
export function meaningOf(
  names: readonly (string | null)[],
  baseUrl: string | undefined,
): FaultMeaning | null {
  const own = baseUrl === undefined ? undefined : wordsAt(baseUrl)?.faults;
  for (const table of own ? [own, anywhere] : [anywhere]) {
    for (const name of names) {
      if (name !== null && Object.hasOwn(table, name)) return table[name] ?? null;
    }
  }
  return null;
}

/** Null where turns go back as they are. */
export function thoughtWordsAt(baseUrl: string): ThoughtWords | null {
  return wordsAt(baseUrl)?.thoughts ?? null;
}
