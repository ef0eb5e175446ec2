// The targets beside one another, pass by pass.
import type { Options, TargetName } from "../options.ts";
import type { Target } from "../targets/target.ts";
import { measure, passNames, planPass, type PassName } from "./passes.ts";
import { rotate, warmUpSeconds, type Series } from "./rounds.ts";

export type Comparison = Readonly<Record<PassName, Series<TargetName>>>;

export async function compare(targets: readonly Target[], options: Options): Promise<Comparison> {
  const found: Comparison = { request: {}, stream: {}, requestFirstByte: {}, streamFirstByte: {} };
  if (options.rounds > 0) await warmUp(targets, options);
  for (let round = 0; round < options.rounds; round++) {
    console.error(`round ${round + 1} of ${options.rounds}`);
    for (const pass of passNames)
      for (const target of rotate(targets, round)) {
        const measured = await measure(target, planPass(pass, options));
        (found[pass][target.name] ??= []).push(measured);
      }
  }
  return found;
}

/** Compilers of every target settle before anything counts, also those of streams. */
async function warmUp(targets: readonly Target[], options: Options): Promise<void> {
  console.error("warming up");
  const { connections } = options;
  for (const target of targets)
    for (const pass of ["request", "stream"] as const)
      await measure(target, { ...planPass(pass, options), connections, seconds: warmUpSeconds });
}
