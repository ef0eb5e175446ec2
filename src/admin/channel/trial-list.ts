// A vendor's list of models amid a test: a step of its own, and what to say where the vendor
// refuses a model that it does not list.
import { listVendorModels } from "../../gateway/check-key.ts";
import { withoutSecrets, causeOf, type KeyTrial, type Trial } from "./check.ts";
import type { ChannelNeeds } from "./needs.ts";

/** The call behind it is what counts, so that a silent list may not keep it waiting. */
const listMsMax = 5_000;

/** Null where the vendor has none, or does not give it: its key may be good all the same. */
export async function askForModels(needs: ChannelNeeds, trial: Trial): Promise<string[] | null> {
  const { settings, key, tell } = trial;
  const granted = () => tell?.("granted");
  const list = {
    send: (request: Parameters<Trial["send"]>[0]) => needs.send({ ...request, granted }),
    deadlines: needs.deadlines,
    clock: needs.clock,
    answerMsMax: listMsMax,
  };
  try {
    const names = await listVendorModels(list, { settings, key });
    if (names) tell?.("listed", { models: names.length, has_model: names.includes(nameOf(trial)) });
    else tell?.("unlisted");
    return names;
  } catch (error) {
    tell?.("unlisted", { message: withoutSecrets(causeOf(error), trial) });
    return null;
  }
}

const aboutModel = new Set([400, 404, 422]);
const namesShownMax = 10;

/** A name that the vendor does not list is most likely what is wrong. */
export function withModels(
  trial: Trial,
  outcome: KeyTrial,
  names: readonly string[] | null,
): KeyTrial {
  const name = nameOf(trial);
  if (!names || names.length === 0 || names.includes(name)) return outcome;
  const shown = names.slice(0, namesShownMax).join(", ");
  const rest = names.length > namesShownMax ? `, and ${names.length - namesShownMax} more` : "";
  const words = `The vendor does not list ${name}; it lists ${shown}${rest}.`;
  const message = `${outcome.result.message} ${words}`.trim();
  return { ...outcome, result: { ...outcome.result, message } };
}

/** Whether a refusal may be about the model's name. */
export function isAboutModel({ result: { status } }: KeyTrial): boolean {
  return aboutModel.has(status ?? 0);
}

function nameOf({ settings, model }: Trial): string {
  return settings.modelMapping[model] ?? model;
}
