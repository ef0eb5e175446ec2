// Every call of the control plane is made by a page or a command, or says why nobody makes it. Rows
// that are no calls, files of lists and streams of events, stand in few files of their own.
import { join } from "node:path";
import { root } from "../repository.ts";
import { type Finding, isTest, type SourceFile } from "../source.ts";

export interface StatedCall {
  /** Name that commands call it by: `keyCalls.rotate`. */
  name: string;
  at: string;
  faceless?: string;
  path: string;
}

const contract = /^src\/admin\/[\w-]+\/contract\.ts$/;
const rows = ["src/http/records/csv.ts", "src/http/records/live.ts"];

export async function statedCalls(files: readonly SourceFile[]): Promise<StatedCall[]> {
  const contracts = files.filter(({ path }) => contract.test(path));
  const calls = await Promise.all(contracts.map(({ path }) => callsIn(path)));
  const others = files
    .filter(({ path }) => rows.includes(path))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(/"(\/api\/[^"]+)"/g), ([, address = ""]) => {
        return { name: address, at: `GET ${address}`, path };
      }),
    );
  return [...calls.flat(), ...others];
}

async function callsIn(path: string): Promise<StatedCall[]> {
  const exported: Record<string, unknown> = await import(join(root, path));
  const groups = Object.entries(exported).filter(([name]) => name.endsWith("Calls"));
  return groups.flatMap(([group, calls]) =>
    Object.entries(calls as Record<string, Pick<StatedCall, "at" | "faceless">>).map(
      ([name, { at, faceless }]) => ({
        name: `${group}.${name}`,
        at,
        path,
        ...(faceless !== undefined && { faceless }),
      }),
    ),
  );
}

export function faceFindings(
  calls: readonly StatedCall[],
  files: readonly SourceFile[],
): Finding[] {
  const shipped = files.filter(({ path }) => !isTest(path));
  const web = shipped.filter(({ path }) => path.startsWith("web/"));
  const cli = shipped.filter(({ path }) => path.startsWith("src/cli/"));
  const asked = new Set(web.flatMap(({ text }) => addressesIn(text)));
  const named = new Set(cli.flatMap(({ text }) => text.match(/\b\w+Calls\.\w+/g) ?? []));
  return calls.flatMap(({ name, at, path, faceless }) => {
    const hasFace = asked.has(plain(at)) || named.has(name);
    if (hasFace === (faceless === undefined)) return [];
    const what = hasFace
      ? `${at} has a face, and says that it has none`
      : `${at} has neither a page nor a command, and no reason`;
    return [{ path, line: 1, what }];
  });
}

/** The name of a parameter is a matter of the gateway, and a list's file stands beside the list. */
function plain(at: string): string {
  return at.replace(/\$?\{[^}]*\}/g, "{}").replace(/\.csv$/, "");
}

/** Addresses that a module of the console asks for; an address as a type asks for nothing. */
function addressesIn(text: string): string[] {
  const method = "GET|POST|PATCH|DELETE";
  const literal = new RegExp(`(?<!<)"((?:${method}) /api/[^"]+)"`, "g");
  const calls = new RegExp(`\\bcall<\\w+>\\("(${method})", "(/api/[^"]+)"`, "g");
  const all = [
    ...Array.from(text.matchAll(literal), ([, at = ""]) => at),
    ...Array.from(text.matchAll(calls), ([, verb, path]) => `${verb} ${path}`),
    // Everyone's or one's own, by who asks.
    ...Array.from(text.matchAll(/\bscoped\("([^"]+)"\)/g), ([, path]) => [
      `GET ${path}`,
      `GET ${path}/self`,
    ]).flat(),
    ...Array.from(text.matchAll(/href=\{`(\/api\/[^`]+)`\}/g), ([, path]) => `GET ${path}`),
  ];
  return all.map(plain);
}
