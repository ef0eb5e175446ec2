// Settings that the gateway was started with, and those of the file by now.
import { ConfigError } from "../../config/problems.ts";
import type { SettingFact } from "../../config/settings.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { toSeconds } from "../input.ts";
import type { SettingsView } from "./contract.ts";
import type { SettingNeeds } from "./needs.ts";

export async function readSettingViews({ configuration }: SettingNeeds): Promise<SettingsView> {
  const now = new Map((await readNow(configuration)).map((fact) => [fact.name, fact.value]));
  return {
    file: configuration.path,
    loaded_at: toSeconds(configuration.loadedAtMs()),
    items: configuration.inForce.map((fact) => ({
      name: fact.name,
      value: fact.isLive ? (now.get(fact.name) ?? fact.value) : fact.value,
      default: fact.default,
      source: fact.source,
      variable: fact.variable,
      description: fact.description,
      live: fact.isLive,
      pending: pendingOf(fact, now),
    })),
  };
}

type Values = ReadonlyMap<string, SettingFact["value"]>;

function pendingOf({ name, value, isLive }: SettingFact, now: Values): SettingFact["value"] {
  const next = now.get(name) ?? null;
  const isSame = JSON.stringify(next) === JSON.stringify(value);
  return isLive || isSame || !now.has(name) ? null : next;
}

/** A file that cannot be used by now changes nothing of what is in force. */
async function readNow({ read }: SettingNeeds["configuration"]): Promise<readonly SettingFact[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}

/** A file that cannot be used leaves everything as it was, and is refused with its problems. */
export async function reloadSettings(
  needs: SettingNeeds,
  operator: Operator,
): Promise<SettingsView> {
  try {
    await needs.configuration.reload(operator);
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    const message = cause.problems.join("; ");
    throw new GatewayError("invalid_request", { message, cause });
  }
  return await readSettingViews(needs);
}
