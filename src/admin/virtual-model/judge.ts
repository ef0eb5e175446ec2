// Rules for members of a virtual model, beyond its schema: text models that something serves, and
// no name that leads back to itself.
import type { VirtualModelInput } from "../../config/virtual-model.ts";
import { invalid } from "../../core/errors.ts";
import { readChannels, type VirtualModelRow } from "../../distribution/queries.ts";
import { findCircle } from "../../distribution/virtual-models.ts";
import { findImageFamily, findVideoFamily } from "../../families/index.ts";
import type { VirtualModelNeeds } from "./needs.ts";
import { toInput } from "./row.ts";

/** Place of something that cannot be, and the reason. */
interface Misfit {
  path: string;
  message: string;
}

/** Whether a channel serves the model, be it enabled or not, or the name is a virtual one. */
export async function servedBy(
  { database, channels }: Pick<VirtualModelNeeds, "database" | "channels">,
  rows: readonly VirtualModelRow[],
): Promise<(model: string) => boolean> {
  const kept = (await readChannels(database)).flatMap((row): string[] => JSON.parse(row.models));
  const now = channels.all.flatMap(({ settings }) => settings.models);
  const served = new Set([...kept, ...now]);
  const names = new Set(rows.map(({ name }) => name));
  return (model) => served.has(model) || names.has(model);
}

/** Null where it fits; the others are those that stand beside it. */
export function misfitOf(
  input: VirtualModelInput,
  others: readonly VirtualModelInput[],
): Misfit | null {
  if (isMedia(input.name)) return { path: "name", message: "is the name of a model of media" };
  const media = input.members.findIndex(({ model }) => isMedia(model));
  if (media !== -1) return { path: memberAt(media), message: "makes media: members write text" };
  const circle = findCircle(input, others);
  return circle === -1 ? null : { path: memberAt(circle), message: `leads back to ${input.name}` };
}

/** Throws the 400 that names the first field that does not fit. */
export async function assertFits(
  needs: VirtualModelNeeds,
  input: VirtualModelInput,
  rows: readonly VirtualModelRow[],
): Promise<void> {
  const beside = rows.filter(({ name }) => name !== input.name);
  const misfit = misfitOf(input, beside.map(toInput));
  if (misfit) throw invalid(misfit.path, misfit.message);
  const isServed = await servedBy(needs, beside);
  const unknown = input.members.findIndex(({ model }) => !isServed(model));
  if (unknown !== -1) {
    throw invalid(memberAt(unknown), "names nothing that a channel serves, and no virtual model");
  }
  if (input.price === "own" && !needs.prices.isTextListed(input.name)) {
    throw invalid("price", "is own, and the name has no price: set one first");
  }
}

function memberAt(at: number): string {
  return `members.${at}.model`;
}

function isMedia(model: string): boolean {
  return findImageFamily(model) !== undefined || findVideoFamily(model) !== undefined;
}
