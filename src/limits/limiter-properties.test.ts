import { expect, test } from "bun:test";
import fc from "fast-check";
import { Limiter, type Admission } from "./limiter.ts";
import { LimitError } from "./refusal.ts";
import type { LimitRule, LimitSubject } from "./rule.ts";

const limit = fc.option(fc.integer({ min: 0, max: 30 }), { nil: null });
const rule = fc.record({ requestsPerMinute: limit, tokensPerMinute: limit, concurrency: limit });

type Step =
  | { kind: "admit"; mask: number }
  | { kind: "release"; pick: number }
  | { kind: "spend"; pick: number; tokens: number }
  | { kind: "wait"; ms: number };

const admitStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("admit"),
  mask: fc.integer({ min: 1, max: 7 }),
});
const otherStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("release"), pick: fc.nat() }),
  fc.record({ kind: fc.constant("spend"), pick: fc.nat(), tokens: fc.nat({ max: 40 }) }),
  fc.record({ kind: fc.constant("wait"), ms: fc.nat({ max: 20_000 }) }),
);
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: admitStep }, otherStep), {
  maxLength: 120,
});
const rules = fc.tuple(rule, rule, rule);

type Rules = [LimitRule, LimitRule, LimitRule];

function withoutCap(one: LimitRule): LimitRule {
  return { ...one, concurrency: null };
}

function subjectsOf([key, account, group]: Rules): LimitSubject[] {
  return [
    { scope: "key", id: "k", rule: key },
    { scope: "account", id: "a", rule: account },
    { scope: "group", id: "g", rule: group },
  ];
}

interface Ticket {
  admission: Admission;
  subjects: readonly LimitSubject[];
  isOpen: boolean;
}

/** Plays steps against a limiter and keeps its own books beside it. */
class Run {
  nowMs = 0;
  readonly limiter = new Limiter({ nowMs: () => this.nowMs, monotonicMs: () => this.nowMs });
  readonly tickets: Ticket[] = [];
  readonly admittedAtMs = new Map<LimitSubject, number[]>();

  readonly subjects: readonly LimitSubject[];

  constructor(subjects: readonly LimitSubject[]) {
    this.subjects = subjects;
    for (const subject of subjects) this.admittedAtMs.set(subject, []);
  }

  admit(chosen: readonly LimitSubject[]): LimitError | null {
    try {
      const admission = this.limiter.tryAdmit(chosen);
      this.tickets.push({ admission, subjects: chosen, isOpen: true });
    } catch (error) {
      if (error instanceof LimitError) return error;
      throw error;
    }
    for (const subject of chosen) this.admittedAtMs.get(subject)?.push(this.nowMs);
    return null;
  }

  openOf(subject: LimitSubject): number {
    return this.tickets.filter((ticket) => ticket.isOpen && ticket.subjects.includes(subject))
      .length;
  }

  step(step: Step): void {
    const ticket = "pick" in step ? this.tickets[step.pick % this.tickets.length] : undefined;
    if (step.kind === "wait") this.nowMs += step.ms;
    if (step.kind === "admit") {
      const chosen = this.subjects.filter((_, at) => (step.mask & (1 << at)) !== 0);
      this.admit(chosen);
    }
    if (step.kind === "spend") ticket?.admission.spend(step.tokens);
    if (step.kind === "release" && ticket) {
      ticket.admission.release();
      ticket.isOpen = false;
    }
  }
}

test("in no span of time are more requests admitted than the bucket and its refill allow", () => {
  fc.assert(
    fc.property(rules, steps, (three, list) => {
      const run = new Run(subjectsOf(three));
      for (const step of list) run.step(step);
      for (const [subject, timesMs] of run.admittedAtMs) {
        const perMinute = subject.rule.requestsPerMinute;
        if (perMinute === null) continue;
        timesMs.forEach((fromMs, first) => {
          for (let last = first; last < timesMs.length; last++) {
            const spanMs = (timesMs[last] ?? fromMs) - fromMs;
            const allowed = perMinute + Math.floor((perMinute * spanMs) / 60_000);
            expect(last - first + 1).toBeLessThanOrEqual(allowed);
          }
        });
      }
    }),
  );
});

test("the requests in flight never go above the cap, whatever is released twice", () => {
  fc.assert(
    fc.property(rules, steps, (three, list) => {
      const run = new Run(subjectsOf(three));
      for (const step of list) {
        run.step(step);
        for (const subject of run.subjects) {
          const cap = subject.rule.concurrency ?? Number.POSITIVE_INFINITY;
          expect(run.openOf(subject)).toBeLessThanOrEqual(cap);
        }
      }
    }),
  );
});

test("refused requests change nothing: without them every answer is the same", () => {
  fc.assert(
    fc.property(rules, steps, (three, list) => {
      const noisy = new Run(subjectsOf(three));
      const calm = new Run(subjectsOf(three));
      for (const step of list) {
        const before = noisy.tickets.length;
        noisy.step(step);
        const wasRefused = step.kind === "admit" && noisy.tickets.length === before;
        if (wasRefused) continue;
        calm.step(step);
        const [expected, actual] = [noisy.tickets.at(-1), calm.tickets.at(-1)];
        expect(calm.tickets).toHaveLength(noisy.tickets.length);
        if (expected) expect(actual?.admission.headers).toEqual(expected.admission.headers);
      }
    }),
  );
});

test("a refusal by a rate ends when retry-after has passed, unless it was cut to a minute", () => {
  fc.assert(
    fc.property(rules, steps, (three, list) => {
      const [key, account, group] = three;
      const rated: Rules = [withoutCap(key), withoutCap(account), withoutCap(group)];
      const run = new Run(subjectsOf(rated));
      for (const step of list) run.step(step);
      for (const ticket of run.tickets) ticket.admission.release();
      const waitSeconds = run.admit(run.subjects)?.retryAfterSeconds ?? null;
      if (waitSeconds === null || waitSeconds === 60) return;
      run.nowMs += waitSeconds * 1000;
      expect(run.admit(run.subjects)).toBeNull();
    }),
  );
});

test("forgetting idle subjects is never noticed", () => {
  fc.assert(
    fc.property(rule, fc.array(fc.nat({ max: 40 }), { maxLength: 150 }), (one, picks) => {
      let nowMs = 0;
      const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs };
      const roomy = new Limiter(clock);
      // Six ids and a cap of four: the wall at twice the cap is out of reach, eviction is not.
      const tight = new Limiter(clock, 4);
      for (const pick of picks) {
        const subjects: LimitSubject[] = [{ scope: "key", id: String(pick % 6), rule: one }];
        nowMs += pick * 100;
        expect(outcomeOf(tight, subjects)).toEqual(outcomeOf(roomy, subjects));
      }
    }),
  );
});

function outcomeOf(limiter: Limiter, subjects: LimitSubject[]): unknown {
  try {
    const admission = limiter.tryAdmit(subjects);
    admission.release();
    admission.spend(4);
    return admission.headers;
  } catch (error) {
    if (error instanceof LimitError) return error.message;
    throw error;
  }
}
