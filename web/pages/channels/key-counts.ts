// Keys of a channel that work: one that rests for some models still serves the others.
import type { ChannelView } from "../../../src/admin/contract.ts";

type Key = ChannelView["keys"][number];

export function countWorkingKeys(keys: readonly Key[]): number {
  return keys.filter(isWorking).length;
}

function isWorking({ status, rests_until: until, rests_for: models }: Key): boolean {
  return status === "enabled" && (until === null || models !== null);
}

/** Models, by the vendor's names, that no key serves for now while others are served. */
export function restingModels(keys: readonly Key[]): string[] {
  const working = keys.filter(isWorking);
  const [first, ...others] = working.map(({ rests_for: models }) => models ?? []);
  return (first ?? []).filter((model) => others.every((models) => models.includes(model)));
}
