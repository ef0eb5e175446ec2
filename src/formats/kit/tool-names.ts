// Upstreams bound the length and the characters of tool names and call ids. Names that do not fit
// go out under an alias, which is the same every time, and come back under their own name.
import { createHash } from "node:crypto";
import type { Exchange, Part, Turn } from "../exchange.ts";
import type { UpstreamSide } from "../format.ts";

type NameRule = Pick<UpstreamSide, "nameCharactersMax" | "nameCharacters" | "idCharacters">;

interface Aliased {
  exchange: Exchange;
  /** A call's own name by the alias it went out under. */
  names: ReadonlyMap<string, string>;
  /** A call's own id by the alias it went out under. */
  ids: ReadonlyMap<string, string>;
}

const idCharactersMax = 64;
const anyCharacters = /./s;
const none: ReadonlyMap<string, string> = new Map();

export function aliasNames(exchange: Exchange, rule: NameRule): Aliased {
  const idRule = idRuleOf(rule);
  if (!needsAlias(exchange, rule, idRule)) return { exchange, names: none, ids: none };
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  const rename = renamer(rule, names);
  const renameId = renamer(idRule, ids);
  const tools = exchange.tools.map((tool) => ({ ...tool, name: rename(tool.name) }));
  const turns = exchange.turns.map((turn) => renameTurn(turn, rename, renameId));
  return {
    exchange: { ...exchange, tools, turns, toolChoice: renameChoice(exchange.toolChoice, rename) },
    names,
    ids,
  };
}

function idRuleOf({ idCharacters = anyCharacters }: NameRule): NameRule {
  return { nameCharactersMax: idCharactersMax, nameCharacters: idCharacters };
}

function renamer(rule: NameRule, known: Map<string, string>): Rename {
  return (name) => {
    const alias = aliasOf(name, rule);
    if (alias !== name) known.set(alias, name);
    return alias;
  };
}

/** A name that fits stays as it is; another is cut and told apart by a digest of the whole. */
export function aliasOf(name: string, rule: NameRule): string {
  if (fits(name, rule)) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 10);
  const plain = name.replace(/[^\w-]/g, "_").replace(/^[^A-Za-z_]/, "_");
  return `${plain.slice(0, rule.nameCharactersMax - digest.length - 1)}_${digest}`;
}

function fits(name: string, { nameCharactersMax, nameCharacters }: NameRule): boolean {
  return name.length <= nameCharactersMax && nameCharacters.test(name);
}

function needsAlias({ tools, turns }: Exchange, rule: NameRule, idRule: NameRule): boolean {
  return (
    tools.some(({ name }) => !fits(name, rule)) ||
    turns.some(({ parts }) =>
      parts.some((part) => {
        if (part.kind === "call") return !fits(part.name, rule) || !fits(part.id, idRule);
        return part.kind === "result" && !fits(part.callId, idRule);
      }),
    )
  );
}

type Rename = (name: string) => string;

function renameTurn(turn: Turn, rename: Rename, renameId: Rename): Turn {
  return { ...turn, parts: turn.parts.map((part) => renamePart(part, rename, renameId)) };
}

function renamePart(part: Part, rename: Rename, renameId: Rename): Part {
  if (part.kind === "call") return { ...part, name: rename(part.name), id: renameId(part.id) };
  if (part.kind !== "result") return part;
  const name = part.name === null ? null : rename(part.name);
  return { ...part, name, callId: renameId(part.callId) };
}

function renameChoice(choice: Exchange["toolChoice"], rename: Rename): Exchange["toolChoice"] {
  if (choice?.kind === "tool") return { ...choice, name: rename(choice.name) };
  if (choice?.kind === "some") return { ...choice, names: choice.names.map(rename) };
  return choice;
}
