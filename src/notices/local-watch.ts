// Causes that need a person on this very node: its disk, the channels that it has put aside, and
// vendors that report far less output than this node saw delivered.
import type { Clock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { Channels } from "../distribution/channels.ts";
import { lowReportLastsMs } from "../distribution/low-reports.ts";
import type { Cause } from "./notice.ts";
import type { OpenNotice } from "./queries.ts";

interface LocalWatchNeeds {
  clock: Clock;
  channels: Pick<Channels, "all">;
  diskBytes(): { free: number; size: number };
  rules: { readonly diskFreePercent: number; readonly channelOutMinutes: number };
  /** Name of the node where others share the database; null for one that is alone. */
  nodeName: string | null;
}

const minuteMs = 60_000;
/** Each node has its own. */
export const localKinds: readonly string[] = [
  "channel_out",
  "channel_invalid",
  "disk_full",
  "low_usage_report",
];

export class LocalWatch {
  readonly #needs: LocalWatchNeeds;
  readonly #mark: string;
  /** Since when each was seen to be put aside, on the clock that never goes back. */
  readonly #outSinceMs = new Map<string, number>();
  /** Those that an earlier process told of: they have so long to fail again. */
  readonly #inherited = new Map<string, number>();

  constructor(needs: LocalWatchNeeds) {
    this.#needs = needs;
    this.#mark = needs.nodeName === null ? "" : `@${needs.nodeName}`;
  }

  /** Whether it is for this node to say that it has ended. */
  isOwn({ kind, cause }: Pick<OpenNotice, "kind" | "cause">): boolean {
    return localKinds.includes(kind) && cause.endsWith(this.#mark);
  }

  /** Notices that the last process of this node had told of and did not see the end of. */
  inherit(open: readonly OpenNotice[]): void {
    const nowMs = this.#needs.clock.monotonicMs();
    for (const one of open) {
      if (!this.isOwn(one)) continue;
      const lastsMs = one.kind === "low_usage_report" ? lowReportLastsMs : this.#channelOutMs;
      this.#inherited.set(one.cause, nowMs + lastsMs);
    }
  }

  find(): Cause[] {
    return [
      ...this.#findDisk(),
      ...this.#findChannels(),
      ...this.#findInvalidChannels(),
      ...this.#findLowReports(),
    ];
  }

  get #channelOutMs(): number {
    return this.#needs.rules.channelOutMinutes * minuteMs;
  }

  #findDisk(): Cause[] {
    const { diskBytes, rules, nodeName } = this.#needs;
    const { free, size } = diskBytes();
    if (free * 100 >= size * rules.diskFreePercent) return [];
    const percent = Math.floor((free * 100) / size);
    const at = nodeName === null ? "" : ` of ${nodeName}`;
    return [
      {
        cause: `disk_full${this.#mark}`,
        kind: "disk_full",
        accountId: null,
        isOwn: false,
        text: `The disk of the data folder${at} has ${percent} % free.`,
        details: { free_bytes: free, size_bytes: size, node: nodeName },
      },
    ];
  }

  /** Channels of an earlier version whose fields break a rule of this one. */
  #findInvalidChannels(): Cause[] {
    const { channels, nodeName } = this.#needs;
    return channels.all.flatMap(({ settings: { id, name, fault } }): Cause[] => {
      if (!fault) return [];
      const { message, isStopped } = fault;
      const outcome = isStopped
        ? "It is stopped, since its credential could leave its vendor, until it is set again"
        : "It serves as before, and has to be corrected with its next change";
      return [
        {
          cause: `channel_invalid:${id}${this.#mark}`,
          kind: "channel_invalid",
          accountId: null,
          isOwn: false,
          text: `The channel ${name} breaks a rule: ${message}. ${outcome}.`,
          details: { channel: name, reason: message, is_stopped: isStopped, node: nodeName },
        },
      ];
    });
  }

  #findChannels(): Cause[] {
    const { clock, channels, nodeName } = this.#needs;
    const nowMs = clock.monotonicMs();
    const there = new Set(channels.all.map(({ settings }) => settings.id as string));
    for (const id of this.#outSinceMs.keys()) if (!there.has(id)) this.#outSinceMs.delete(id);
    return channels.all.flatMap(({ settings: { id, name }, health }): Cause[] => {
      const cause = `channel_out:${id}${this.#mark}`;
      if (health.hasToProve) this.#outSinceMs.set(id, this.#outSinceMs.get(id) ?? nowMs);
      else this.#outSinceMs.delete(id);
      const sinceMs = this.#outSinceMs.get(id);
      const isLong = sinceMs !== undefined && nowMs - sinceMs >= this.#channelOutMs;
      const isInherited = nowMs < (this.#inherited.get(cause) ?? 0);
      if (!isLong && !isInherited) return [];
      const minutes = Math.floor((nowMs - (sinceMs ?? nowMs)) / minuteMs);
      const since = `was put aside ${minutes} minutes ago and has not served since`;
      const text = `The channel ${name} ${since}.`;
      const details = { channel: name, minutes, node: nodeName };
      return [{ cause, kind: "channel_out", accountId: null, isOwn: false, text, details }];
    });
  }

  #findLowReports(): Cause[] {
    const { clock, channels, nodeName: node } = this.#needs;
    const nowMs = clock.monotonicMs();
    const seen = channels.all.flatMap(({ settings: { id, name }, lowReports }) =>
      lowReports.list(nowMs).map(({ model, reportedTokens, deliveredTokens }): Cause => {
        const text =
          `The vendor of the channel ${name} reports far less output of ${model} than it ` +
          `delivers: it reported ${reportedTokens} tokens where ${deliveredTokens} were counted. ` +
          "What it reported was charged.";
        const tokens = { reported_tokens: reportedTokens, counted_tokens: deliveredTokens };
        const details = { channel: name, model, ...tokens, node };
        return lowReportCause(`low_usage_report:${id}:${model}${this.#mark}`, text, details);
      }),
    );
    // An earlier process sent these; an open notice keeps the text that it has.
    const inherited = [...this.#inherited].flatMap(([cause, untilMs]) =>
      nowMs < untilMs && cause.startsWith("low_usage_report:") ? [lowReportCause(cause, "")] : [],
    );
    return [...seen, ...inherited];
  }
}

function lowReportCause(cause: string, text: string, details: JsonObject = {}): Cause {
  return { cause, kind: "low_usage_report", accountId: null, isOwn: false, text, details };
}
