// A gateway with virtual models before vendors of every dialect, whose mood a test sets.
import type { Dialect } from "../../../../src/formats/exchange.ts";
import { clients } from "../../../harness/clients/index.ts";
import { dialects } from "../../../harness/dialects.ts";
import { startGateway, type Gateway } from "../../../harness/gateway.ts";
import { kept, useStand } from "../../../harness/nodes/stand.ts";
import { Vendor, type VendorScript } from "../../../harness/vendor.ts";
import { answers, refuses, wires } from "../../../harness/wires.ts";

export const counts = { input: 10, output: 20 };

/** A vendor that answers with its own name, unless it is told to do something else. */
export class MoodyVendor {
  readonly vendor: Vendor;
  readonly dialect: Dialect;
  readonly #name: string;
  mood: VendorScript;
  asked = 0;

  constructor(name: string, dialect: Dialect) {
    this.dialect = dialect;
    this.#name = name;
    this.mood = answers(dialect, name, counts);
    this.vendor = kept(
      new Vendor((request, reply) => {
        this.asked++;
        return this.mood(request, reply);
      }),
    );
  }

  well(): void {
    this.asked = 0;
    this.mood = answers(this.dialect, this.#name, counts);
  }

  fails(status = 500): void {
    this.mood = refuses(this.dialect, status, "No.");
  }
}

/** First, second and third of each chain, by the dialect of all three. */
export const places = ["first", "second", "third"] as const;
export type Place = (typeof places)[number];

type Vendors = Record<Dialect, Record<Place, MoodyVendor>>;

/** Those of one file of tests, which end with it. */
export function useVendors(): Vendors {
  return Object.fromEntries(
    dialects.map((dialect) => [
      dialect,
      Object.fromEntries(
        places.map((place) => [place, new MoodyVendor(`${place} of ${dialect}`, dialect)]),
      ),
    ]),
  ) as Vendors;
}

const microsPerToken = { first: 1, second: 5, third: 2 } as const;
export const priceOf = (micros: number) => ({
  input_micros_per_million: micros * 1e6,
  output_micros_per_million: micros * 1e6,
});

/** All of one length, so that bodies that name one or another have the same hold. */
const suffixes = { first: "1st", second: "2nd", third: "3rd" } as const;
export const memberOf = (dialect: Dialect, place: Place) => `${dialect}-${suffixes[place]}`;
export const nameOf = (dialect: Dialect) => `${dialect}-top`;
export const costOf = (place: Place) => (counts.input + counts.output) * microsPerToken[place];

const distribution = { failures_to_eject: 1000, retry_budget_percent: 100, attempts_max: 4 };

interface More {
  models?: object[];
  prices?: object[];
  keys?: object[];
  text?: object;
}

export function useChains(vendors: Vendors, more: More = {}): Gateway {
  return useStand(() =>
    startGateway({
      config: JSON.stringify({
        distribution,
        text: more.text ?? {},
        keys: more.keys ?? [],
        channels: dialects.flatMap((dialect) =>
          places.map((place) =>
            vendors[dialect][place].vendor.channel({
              name: memberOf(dialect, place),
              ...wires[dialect].channel,
              models: [memberOf(dialect, place)],
            }),
          ),
        ),
        prices: [
          ...dialects.flatMap((dialect) =>
            places.map((place) => ({
              model: memberOf(dialect, place),
              ...priceOf(microsPerToken[place]),
            })),
          ),
          ...(more.prices ?? []),
        ],
        models: [
          ...dialects.map((dialect) => ({
            name: nameOf(dialect),
            members: places.map((place) => ({ model: memberOf(dialect, place) })),
          })),
          ...(more.models ?? []),
        ],
      }),
    }),
  );
}

export function allWell(vendors: Vendors): void {
  for (const dialect of dialects) for (const place of places) vendors[dialect][place].well();
}

interface Asked {
  client: Dialect;
  model: string;
  stream?: boolean;
  key?: string;
  fields?: object;
  outputTokensMax?: number;
}

export interface Heard {
  status: number;
  id: string;
  text: string;
  /** The model that the gateway says has served. */
  served: string | null;
}

export async function ask(gateway: Gateway, asked: Asked): Promise<Heard> {
  const { client, model, stream = false, fields = {}, outputTokensMax = 400 } = asked;
  const { path, body } = clients[client];
  const whole = { ...body({ model, prompt: "hi", outputTokensMax }, stream), ...fields };
  const sent = JSON.stringify(whole);
  const response = await gateway.post(path(model, stream), sent, asked.key);
  return {
    status: response.status,
    id: response.headers.get("x-request-id") ?? "",
    text: await response.text(),
    served: response.headers.get("x-sluice-model"),
  };
}

export interface LoggedRow {
  model: string;
  asked_model: string | null;
  served_model: string | null;
  attempts: number;
  micros: number;
  tries: { model: string | null; outcome: string }[];
  trace: { members?: { model: string; fate: string }[]; money: { held_micros: number } | null };
}

export async function rowOf(gateway: Gateway, id: string): Promise<LoggedRow> {
  const { items } = await gateway.control<{ items: LoggedRow[] }>("GET", `/api/log/${id}`);
  const [row] = items;
  if (!row) throw new Error(`no row of ${id}`);
  return row;
}

export const fatesOf = (row: LoggedRow) => row.trace.members?.map(({ fate }) => fate);

export const ways = dialects.flatMap((client) =>
  dialects.flatMap((dialect) => [
    { client, dialect, stream: false },
    { client, dialect, stream: true },
  ]),
);

/** The scripted vendors' name for their model. */
export const vendorName = "vendor-model";
