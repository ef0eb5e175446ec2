// Channels of clouds: their keys hold a region, a column of its own holds regions by model, and
// models of several wires stand in one, which here is a channel for each wire.
import type { VendorFields } from "../../../core/pass/vendor-fields.ts";
import { credentialParts } from "../../../core/pass/credential.ts";
import { cellText, objectIn, objectOf } from "../cells.ts";
import { bedrockModel, vertexModel, type CloudModel } from "../cloud-models.ts";
import type { SourceRow } from "../queries.ts";
import type { SnapshotChannel } from "../snapshot.ts";

type Say = (why: string) => void;

export function cloudChannels(
  channel: SnapshotChannel,
  row: SourceRow,
  say: Say,
): SnapshotChannel[] {
  switch (channel.settings.type) {
    case "bedrock":
      return bedrockChannels(channel, row, say);
    case "vertex":
      return vertexChannels(channel, row, say);
    default:
      return [channel];
  }
}

interface CloudPlace extends CloudModel {
  vendor: VendorFields;
}

/** A channel for each wire and place among its models; the first keeps its name. */
function split(
  channel: SnapshotChannel,
  placeOf: (upstream: string) => CloudPlace,
): SnapshotChannel[] {
  const { models, model_mapping: mapping = {} } = channel.settings;
  const parts = new Map<string, SnapshotChannel>();
  for (const model of models) {
    const { format, name, vendor } = placeOf(mapping[model] ?? model);
    const place = JSON.stringify([format, vendor]);
    const before = parts.get(place)?.settings;
    const settings = {
      ...channel.settings,
      format,
      vendor,
      models: [...(before?.models ?? []), model],
      model_mapping: { ...before?.model_mapping, ...(name !== model && { [model]: name }) },
    };
    const end = before === undefined && parts.size > 0 ? ` ${parts.size + 1}` : "";
    const known = parts.get(place) ?? channel;
    const ref = known.ref + end.replace(" ", "-");
    parts.set(place, { ...known, ref, name: known.name + end, settings });
  }
  return [...parts.values()];
}

function bedrockChannels(channel: SnapshotChannel, row: SourceRow, say: Say): SnapshotChannel[] {
  const config = objectIn(row, "config") ?? {};
  const { ak, sk, region: ownRegion } = config;
  const isPair = typeof ak === "string" && typeof sk === "string";
  const texts = isPair ? [`${ak}|${sk}|${String(ownRegion)}`] : (channel.settings.keys ?? []);
  const keys = texts.map((text) => ({ text, parts: text.split("|") }));
  const [region = ""] = keys.map(({ parts }) => parts.at(-1) ?? "");
  const isOne = keys.every(({ parts }) => parts.length > 1 && parts.at(-1) === region);
  if (!isOne || region === "") {
    say("has keys without a region, or of several: make a channel for each");
    return [];
  }
  const own = cellText(row, "base_url").replace(/\/+$/, "");
  const settings = {
    ...channel.settings,
    base_url: own || `https://bedrock-runtime.${region}.amazonaws.com`,
    keys: keys.map(({ parts }) => parts.slice(0, -1).join(":")),
  };
  say("has its models under Amazon's names now: look them through");
  const placeOf = (model: string) => ({ ...bedrockModel(model, region), vendor: { region } });
  return split({ ...channel, settings }, placeOf);
}

function vertexChannels(channel: SnapshotChannel, row: SourceRow, say: Say): SnapshotChannel[] {
  const config = objectIn(row, "config") ?? {};
  const { vertex_ai_adc: account, vertex_ai_project_id: project, region } = config;
  const keys = typeof account === "string" ? [account] : (channel.settings.keys ?? []);
  const locations = locationsOf(cellText(row, "other") || String(region ?? ""));
  const ownProject = typeof project === "string" && project !== "" ? { project } : {};
  const placeOf = (model: string) => {
    const location = locations[model] ?? locations["default"];
    const vendor = { ...ownProject, ...(typeof location === "string" && { location }) };
    return { ...vertexModel(model), vendor };
  };
  const settings = { ...channel.settings, keys };
  const isExpress = keys.some((key) => credentialParts(key) === null);
  return split({ ...channel, settings }, placeOf).filter((part) => {
    const isOpen = !isExpress || part.settings.format === "content";
    if (!isOpen) say(`needs a service account for ${part.settings.models.join(", ")}`);
    return isOpen;
  });
}

/** A region for all, or one for each model and a default. */
function locationsOf(text: string) {
  return objectOf(text) ?? (text === "" ? {} : { default: text });
}
