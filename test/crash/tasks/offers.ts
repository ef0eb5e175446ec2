// What the campaign's customers ask for: models of several families, each at a vendor of its own,
// and prompts that say what becomes of the job.

export interface Offer {
  model: string;
  /** The vendor's name in the sandbox, which is also the type of its channels. */
  vendor: string;
  seconds: number;
  /** The vendor can be asked for a job by our own id. */
  canFind: boolean;
}

export const offers: readonly Offer[] = [
  { model: "videoE-v1", vendor: "kling", seconds: 5, canFind: true },
  { model: "videoC-2-0-260128", vendor: "ark", seconds: 5, canFind: true },
  { model: "videoB-2", vendor: "openai", seconds: 4, canFind: false },
  { model: "videoD-h3-768p", vendor: "minimax", seconds: 4, canFind: false },
  { model: "videoA_3_1", vendor: "google", seconds: 8, canFind: false },
  { model: "omni-fast", vendor: "gateway", seconds: 5, canFind: false },
];

export const secondMicros = 1000;

/** Words of a prompt; those that stand here twice come twice as often. */
export const fates: readonly string[] = [
  "",
  "",
  "",
  "",
  // The job is there and its answer is not: the moment at which a death hurts most.
  "sandbox:delay=60ms",
  "sandbox:delay=60ms",
  "sandbox:delay=60ms",
  "sandbox:delay=250ms",
  "sandbox:fail",
  "sandbox:fail",
  "sandbox:filter",
  "sandbox:cut",
  "sandbox:garbage",
  "sandbox:status=504",
  "sandbox:status=400",
  "sandbox:status=503@sk-first",
];

/** Each vendor has two channels; the first one is refused by some of the fates. */
export function offersConfig(sandboxUrl: string): string {
  const channels = offers.flatMap(({ vendor, model }) =>
    ["first", "second"].map(
      (place, at) => `
  - { name: ${vendor}-${place}, type: ${vendor}, base_url: "${sandboxUrl}/${vendor}",
      key: sk-${place}, priority: ${1 - at}, models: [${model}], allow_private: true }`,
    ),
  );
  const prices = offers.map(
    ({ model }) => `
  - { model: ${model}, second_micros: ${secondMicros} }`,
  );
  return `
sandbox: "off"
log: { level: error }
tasks: { poll_first_ms: 100, poll_most_ms: 400, call_ms: 2000 }
channels:${channels.join("")}
prices:${prices.join("")}
`;
}
