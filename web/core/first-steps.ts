// What whoever runs a new gateway does first, and how much of it is done: as the gateway knows it,
// or as the person has decided in this browser.
import { signal } from "@preact/signals";
import type { KeyView, Listed, LogView, SecondFactorView } from "../../src/admin/contract.ts";
import { useGet } from "./api.ts";
import { keep, keptText } from "./kept.ts";

export const firstSteps = ["secure", "vendor", "key", "call"] as const;
export type FirstStep = (typeof firstSteps)[number];

const marked = signal<readonly string[]>((keptText("first-steps") ?? "").split(" "));

export function markStep(...steps: FirstStep[]): void {
  marked.value = [...new Set([...marked.value, ...steps])];
  keep("first-steps", marked.value.join(" ").trim());
}

export type StepsDone = Readonly<Record<FirstStep, boolean>>;

/** Null until it is known; what is decided already is not asked about. */
export function useFirstSteps(): StepsDone | null {
  const isMarked = (step: FirstStep) => marked.value.includes(step);
  const ask = (step: FirstStep, path: string) => (isMarked(step) ? null : path);
  const secure = useGet<SecondFactorView>(ask("secure", "/api/user/self/second-factor"));
  const vendor = useGet<Listed<object>>(ask("vendor", "/api/channel?page_size=1"));
  const key = useGet<Listed<KeyView>>(ask("key", "/api/token?page_size=2"));
  const call = useGet<Listed<LogView>>(ask("call", "/api/log?page_size=1"));
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
