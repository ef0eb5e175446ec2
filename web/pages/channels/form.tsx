// The fields of a channel, for a new one and for one that is there.
import { useState } from "preact/hooks";
import type { ChannelInput, ChannelPreset, ChannelView } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { Select } from "../../kit/field.tsx";
import {
  areaOf,
  check,
  decimal,
  keyRates,
  lines,
  money,
  names,
  rates,
  select,
  text,
  whole,
} from "../../kit/form-fields.tsx";
import { formOf, type Forming } from "../../kit/form.tsx";
import { readLines, writeLines } from "../../kit/pair-lines.ts";
import { addressWith, takesField, vendorNames, vendorOf, type VendorFields } from "./clouds.ts";
import { t } from "./form-words.ts";
import { t as page } from "./words.ts";
import { useKinds } from "./kinds.ts";
import { readKeys, readObject } from "./texts.ts";

/** Changes of a body stand in two fields. */
type Parameters = NonNullable<ChannelInput["parameters"]>;
/** Facts of a cloud stand in a field each. */
type ChannelFields = Omit<ChannelInput, "parameters" | "key" | "vendor"> &
  Parameters &
  VendorFields;

const wrong = () => t().wrongNumber;
const off = [false, true] as const;
const cloud = <Name extends keyof VendorFields>(name: Name) =>
  text(name, {
    isMono: true,
    isShown: (_isNew, draft) => takesField(draft, name),
    isFault: (param) => param === `vendor.${name}`,
  });
const keysHint = (type: string) => {
  const ofClouds: Readonly<Record<string, string>> = t().cloudKeys;
  return ofClouds[type] ?? t().keysHint;
};
const optionsOf = (values: readonly string[]) => values.map((one) => [one, one] as const);

export const channelForm = formOf<ChannelFields, ChannelView>()(
  [
    {
      pair: [
        text("name", { isRequired: true }),
        select("type", () => optionsOf(useKinds()?.types ?? [])),
      ],
    },
    text("base_url", {
      isMono: true,
      isRequired: true,
      label: () => t().baseUrl,
      hint: (isNew) => (isNew ? t().addressHint : t().addressAgain),
    }),
    check("allow_private", off),
    { pair: [cloud("project"), cloud("location")] },
    { pair: [cloud("region"), cloud("api_version")] },
    areaOf(
      "keys",
      { write: (all: string[]) => all.join("\n"), read: readKeys },
      {
        rows: 2,
        isMono: true,
        isMasked: true,
        hint: (isNew, { type }) => (isNew ? keysHint(String(type)) : t().keysKept),
        isFault: (param) => param === "key",
      },
    ),
    lines("models", { rows: 4, isRequired: true }),
    {
      more: [
        names("groups", { start: "default", isRequired: true }),
        {
          pair: [
            decimal("priority", { start: "0", isRequired: true, wrong }),
            decimal("weight", { start: "1", isRequired: true, wrong }),
          ],
        },
        rates(),
        keyRates(),
        money("spend_per_day_micros"),
        areaOf(
          "model_mapping",
          { write: writeLines(" = "), read: readLines("=") },
          { rows: 3, isMono: true, isRequired: true },
        ),
        select("format", () => [["", t().byType], ...optionsOf(useKinds()?.formats ?? [])]),
        areaOf(
          "set",
          { write: (set: object) => JSON.stringify(set, null, 2), read: readObject },
          {
            rows: 3,
            isMono: true,
            isFault: (param) => param.startsWith("parameters"),
            wrong: () => t().wrongJson,
          },
        ),
        names("remove", { isMono: true }),
        { pair: [cloud("role_arn"), cloud("external_id")] },
        cloud("workspace"),
        { pair: [cloud("scope"), cloud("authority")] },
        whole("hidden_prompt_tokens", { label: () => page().hidden_prompt_tokens }),
        areaOf(
          "cost",
          { write: (cost: object) => JSON.stringify(cost, null, 2), read: readObject },
          {
            rows: 3,
            isMono: true,
            label: () => t().costPrice,
            isFault: (param) => param.startsWith("cost"),
            wrong: () => t().wrongJson,
          },
        ),
        areaOf(
          "headers",
          { write: writeLines(": "), read: readLines(":") },
          { rows: 2, isMono: true, isRequired: true, label: () => t().addedHeaders },
        ),
        text("proxy", { isMono: true }),
        { pair: [whole("first_byte_ms"), whole("stall_ms"), whole("total_ms")] },
        check("drop_store", off),
        check("affinity", off, { start: true }),
        check("http2", off),
      ],
    },
  ],
  t,
  ({ parameters: { set, remove }, hidden_prompt_tokens: hidden, cost = {}, vendor }) => ({
    keys: null,
    ...vendor,
    cost: Object.keys(cost).length > 0 ? cost : null,
    set: set && Object.keys(set).length > 0 ? set : null,
    remove: remove ?? null,
    hidden_prompt_tokens: hidden || null,
  }),
);

/** Body for the API: objects whose parts are fields are written whole, where one part is there. */
export function bodyOf<Some extends Partial<ChannelFields>>(
  some: Some,
  whole: Parameters & VendorFields,
): Omit<Some, keyof Parameters | keyof VendorFields> & Objects {
  const { set, remove } = whole;
  const parameters = { ...(set && { set }), ...(remove && { remove }) };
  const fields = Object.entries(some).filter(([name]) => !isPart(name));
  const body = Object.fromEntries(fields) as Omit<Some, keyof Parameters | keyof VendorFields>;
  return {
    ...body,
    ...("base_url" in some && { base_url: addressWith(some.base_url ?? "", whole) }),
    ...(("set" in some || "remove" in some) && { parameters }),
    ...(vendorNames.some((name) => name in some) && { vendor: vendorOf(whole) }),
  };
}

interface Objects {
  parameters?: Parameters;
  vendor?: VendorFields;
}

function isPart(name: string): boolean {
  return name === "set" || name === "remove" || vendorNames.some((one) => one === name);
}

/** The vendors that are known by name; the first choice is one that is not. */
export function VendorField({ forming: { set } }: { forming: Forming }) {
  const [name, setName] = useState("");
  const { data } = useAnswer("GET /api/channel/presets");
  const presets = data?.items ?? [];
  const choose = (next: string) => {
    setName(next);
    const preset = presets.find((one) => one.name === next);
    if (preset) set(draftOf(preset));
  };
  return (
    <Select
      label={t().vendor}
      hint={t().vendorHint}
      value={name}
      options={[["", t().other], ...presets.map((one) => [one.name, one.title] as const)]}
      onChange={choose}
    />
  );
}

function draftOf({ name, type, format, base_url, allow_private, parameters }: ChannelPreset) {
  const remove = parameters.remove?.join(", ") ?? "";
  // A model on one's own machine takes any key.
  const keys = allow_private ? "none" : "";
  return { name, type, format: format ?? "", base_url, allow_private, remove, keys };
}
