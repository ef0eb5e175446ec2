// Faults on demand: a prompt may ask for them with words such as `sandbox:status=429`. Written as
// `sandbox:stall@sk-one` a directive holds only for requests that come with that key.

export interface Faults {
  status: number | null;
  delayMs: number;
  /** Events before an error is sent inside the stream. */
  errorAfter: number | null;
  stall: boolean;
  cut: boolean;
  garbage: boolean;
  noUsage: boolean;
  filter: boolean;
}

export const noFaults: Faults = {
  status: null,
  delayMs: 0,
  errorAfter: null,
  stall: false,
  cut: false,
  garbage: false,
  noUsage: false,
  filter: false,
};

const directive =
  /\bsandbox:([a-z]+(?:-[a-z]+)*)(?:=(\d{1,9}(?:\.\d{1,3})?)(ms|s)?)?(?:@([\w-]+))?/g;

/** Reads the directives that hold for a request with this key; of two alike the first counts. */
export function readFaults(text: string, key: string | null): Faults {
  const faults = { ...noFaults };
  for (const { name, value, unit } of directivesOf(text, key)) {
    if (value === null) setFlag(faults, name);
    else setValue(faults, name, { value, unit });
  }
  return faults;
}

interface Directive {
  name: string;
  /** Null for a bare word. */
  value: number | null;
  unit: string | null;
}

/** Every directive that holds for a request with this key, in their order. */
export function directivesOf(text: string, key: string | null): Directive[] {
  return [...text.matchAll(directive)]
    .filter(([, , , , onlyKey]) => onlyKey === undefined || onlyKey === key)
    .map(([, name = "", digits, unit]) => ({
      name,
      value: digits === undefined ? null : Number(digits),
      unit: unit ?? null,
    }));
}

/** The prompt as the model should see it. */
export function withoutDirectives(text: string): string {
  return text.replace(directive, "").trim();
}

function setFlag(faults: Faults, name: string): void {
  if (name === "stall") faults.stall = true;
  else if (name === "cut") faults.cut = true;
  else if (name === "garbage") faults.garbage = true;
  else if (name === "no-usage") faults.noUsage = true;
  else if (name === "filter") faults.filter = true;
}

interface Amount {
  value: number;
  unit: string | null;
}

function setValue(faults: Faults, name: string, { value, unit }: Amount): void {
  if (name === "status" && value >= 400 && value <= 599) faults.status ??= Math.floor(value);
  else if (name === "delay") faults.delayMs ||= unit === "ms" ? value : value * 1000;
  else if (name === "error-after") faults.errorAfter ??= Math.floor(value);
}
