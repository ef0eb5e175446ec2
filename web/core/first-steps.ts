// First steps of whoever runs a new gateway, and how much of them is done: as the gateway knows it,
// or as the person has decided in this browser.
import { signal } from "@preact/signals";
import { useAnswer } from "./control.ts";
import { keep, keptText } from "./kept.ts";

export const firstSteps = ["secure", "vendor", "key", "call"] as const;
export type FirstStep = (typeof firstSteps)[number];

const marked = signal<readonly string[]>((keptText("first-steps") ?? "").split(" "));

export function markStep(...steps: FirstStep[]): void {
  marked.value = [...new Set([...marked.value, ...steps])];
  keep("first-steps", marked.value.join(" ").trim());
}

export function isMarked(step: FirstStep): boolean {
  return marked.value.includes(step);
}

const one = { query: { page_size: 1 } };

export type StepsDone = Readonly<Record<FirstStep, boolean>>;

/** Null until it is known; what is decided already is not asked about. */
export function useFirstSteps(): StepsDone | null {
  const ask = <At extends string>(step: FirstStep, at: At) => (isMarked(step) ? null : at);
  const secure = useAnswer(ask("secure", "GET /api/user/self/second-factor"));
  const vendor = useAnswer(ask("vendor", "GET /api/channel"), one);
  const key = useAnswer(ask("key", "GET /api/token"), one);
  const call = useAnswer(ask("call", "GET /api/log"), one);
  const isAwaited = (step: FirstStep, { isPending }: { isPending: boolean }) =>
    !isMarked(step) && isPending;
  const all = { secure, vendor, key, call };
  if (firstSteps.some((step) => isAwaited(step, all[step]) && !all[step].data)) return null;
  return {
    secure: isMarked("secure") || (secure.data?.second_factor.length ?? 0) > 0,
    vendor: isMarked("vendor") || (vendor.data?.total ?? 0) > 0,
    // The first start makes one by itself.
    key: isMarked("key") || (key.data?.total ?? 0) > 1,
    call: isMarked("call") || (call.data?.items.length ?? 0) > 0,
  };
}
