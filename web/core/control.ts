// Client of the control API by its addresses. Input and answer have the types of the gateway's own
// schemas, and nothing of the gateway is loaded for it.
import type { AnswerOf, AskOf, ControlApi } from "../../src/admin/contract.ts";
import { call, useGet, withQuery, type Loaded, type Method } from "./api.ts";

export type Address = keyof ControlApi;
type Reading = Extract<Address, `GET ${string}`>;

export type Ask<At extends Address> = AskOf<ControlApi[At]>;
/** Body of an address that takes one, also where it may be left out. */
export type BodyOf<At extends Address> =
  Ask<At> extends { body?: infer Body } ? NonNullable<Body> : never;
export type Answer<At extends Address> = AnswerOf<ControlApi[At]>;

/** Addresses that answer a list. */
export type Listing = {
  [At in Reading]: Answer<At> extends { items: object[] } ? At : never;
}[Reading];
export type RowOf<At extends Listing> = Answer<At>["items"][number];

/** Arguments after the address: none where nothing is required. */
export type Said<At extends Address> =
  Record<never, never> extends Ask<At> ? [ask?: Ask<At>] : [ask: Ask<At>];

interface AnyAsk {
  query?: Parameters<typeof withQuery>[1];
  body?: unknown;
}

export function pathOf<At extends Address>(at: At, ...[ask]: Said<At>): string {
  const { query = {} }: AnyAsk = ask ?? {};
  const path = at.slice(at.indexOf(" ") + 1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = Reflect.get(ask ?? {}, name);
    return encodeURIComponent(String(value));
  });
  return withQuery(path, query);
}

/** `await send("POST /api/token", { body })`: a pair that does not go together does not compile. */
export function send<At extends Address>(at: At, ...said: Said<At>): Promise<Answer<At>> {
  const { body }: AnyAsk = said[0] ?? {};
  return call<Answer<At>>(at.slice(0, at.indexOf(" ")) as Method, pathOf(at, ...said), body);
}

/** The same for reading alone. */
export function get<At extends Reading>(at: At, ...said: Said<At>): Promise<Answer<At>> {
  return send(at, ...said);
}

/** Answer of an address, kept while the component is shown; null asks nothing. */
export function useAnswer<At extends Reading>(
  at: At | null,
  ...said: Said<At>
): Loaded<Answer<At>> {
  return useGet<Answer<At>>(at && pathOf(at, ...said));
}

/** The same, asked again every so often. */
export function usePolled<At extends Reading>(
  everyMs: number,
  at: At | null,
  ...said: Said<At>
): Loaded<Answer<At>> {
  return useGet<Answer<At>>(at && pathOf(at, ...said), everyMs);
}

/** Query as it stands in the page's own address, for the gateway to judge. */
interface RawAsk {
  query: Parameters<typeof withQuery>[1];
}

export function askedPath(at: Reading, { query }: RawAsk): string {
  return withQuery(at.slice("GET ".length), query);
}

/** Answer to such a query. */
export function useAsked<At extends Reading>(
  at: At | null,
  ask: RawAsk,
  everyMs = 0,
): Loaded<Answer<At>> {
  return useGet<Answer<At>>(at && askedPath(at, ask), everyMs);
}
