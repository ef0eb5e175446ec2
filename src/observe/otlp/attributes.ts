// Values as OTLP's JSON has them.

type Attribute = string | number | boolean | null | undefined;

export interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

type OtlpValue =
  { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };

/** Unknown values are left out. */
export function attributesOf(values: Readonly<Record<string, Attribute>>): OtlpAttribute[] {
  const attributes: OtlpAttribute[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) attributes.push({ key, value: valueOf(value) });
  }
  return attributes;
}

function valueOf(value: string | number | boolean): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Nanoseconds as text: a number could not hold them. */
export function nanosOf(atMs: number): string {
  return String(BigInt(Math.round(atMs * 1000)) * 1000n);
}
