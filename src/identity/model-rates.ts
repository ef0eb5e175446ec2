// Rates of a key by model. A pattern has one count for all models that it is the best fit of.
import type { RateRule, RateSubject } from "./rate-subject.ts";
import { ModelPatterns } from "./model-patterns.ts";

type RateKind = keyof Pick<RateRule, "requestsPerMinute" | "tokensPerMinute">;

const noRule: RateRule = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

export class ModelRates {
  readonly #kinds: readonly ModelPatterns<RateSubject>[];

  /** `rates` have JSON, or null where there are none. */
  constructor(keyId: string, rates: Readonly<Record<RateKind, string | null>>) {
    const kinds = ["requestsPerMinute", "tokensPerMinute"] as const;
    this.#kinds = kinds.map((kind) => {
      const counts: Record<string, number> = JSON.parse(rates[kind] ?? "{}");
      return new ModelPatterns(
        Object.entries(counts).map(([of, count]) => {
          const rule = { ...noRule, [kind]: count };
          return [of, { scope: "key", id: `${keyId} ${kind} ${of}`, of, rule }] as const;
        }),
      );
    });
  }

  /** Subjects of a model, by the first of its names that has one. */
  of(names: readonly string[]): RateSubject[] {
    return this.#kinds.flatMap((patterns) => {
      for (const name of names) {
        const subject = patterns.find(name);
        if (subject) return [subject];
      }
      return [];
    });
  }
}
