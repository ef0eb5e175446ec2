// A field of an entity stands in four places: its contract, its column, its page and a test. Each
// further file that only carries it is named here with its reason, so that a new one is thought
// about. Rooms that act on a field are what it is for, and no places of it. Fields whose names
// nothing else has stand for all of an entity's.
import { type Finding, isTest, type SourceFile } from "../source.ts";

interface Entity {
  fields: readonly string[];
  /** Beside the declarations that both the file and the control plane take. */
  contract: string;
  pages: readonly string[];
}

const entities: readonly Entity[] = [
  { fields: ["allow_ips", "log_content"], contract: "key", pages: ["keys"] },
  {
    fields: ["drop_store", "allow_objects", "allow_routing", "hidden_prompt_tokens"],
    contract: "channel",
    pages: ["channels"],
  },
  {
    fields: [
      "cache_write_micros_per_million",
      "cache_write_1h_micros_per_million",
      "audio_input_micros_per_million",
      "audio_output_micros_per_million",
      "tool_micros",
    ],
    contract: "price",
    pages: ["prices", "models"],
  },
];

/** Rooms that do something by the value, and data that has one. */
const acting = /^src\/(?:app|catalogue|distribution|gateway|identity|quota|upstreams|formats)\//;
const typedRow = "Between wire and row, where the compiler refuses a field that one side lacks.";
const otherProgram = "Another program's data in our words.";

/** Files that name a field beside its places, with the reason. */
const others: Readonly<Record<string, string>> = {
  "src/admin/key/row.ts": typedRow,
  "src/admin/channel/row.ts": typedRow,
  "src/admin/import/contract.ts": otherProgram,
  "src/admin/convert/run.ts": "A trial of a conversion may name any object.",
  "src/cli/import/lineage/channels.ts": otherProgram,
  "src/cli/import/lineage/prices.ts": otherProgram,
  "src/cli/import/lineage/tokens.ts": otherProgram,
  "src/cli/import/litellm/deployments.ts": otherProgram,
  "src/cli/flag-words.ts": "The flag has a shorter name than the field.",
  "src/cli/prices.ts": "A column of the list.",
};

export function fieldPlaceFindings(
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>> = others,
): Finding[] {
  const beyond = entities.flatMap((entity) =>
    entity.fields.flatMap((field) => {
      const spelled = new RegExp(`\\b(?:${field}|${camelCase(field)})\\b`);
      const naming = files.filter(({ text }) => spelled.test(text));
      return naming.flatMap(({ path }) => (isPlace(entity, path) ? [] : [{ field, path }]));
    }),
  );
  const unused = Object.keys(reasons).filter((path) => !beyond.some((one) => one.path === path));
  return [
    ...beyond
      .filter(({ path }) => reasons[path] === undefined)
      .map(({ field, path }) => ({ path, line: 1, what: `is a fifth place of ${field}` })),
    ...unused.map((path) => ({ path, line: 1, what: "has a reason and names no such field" })),
  ];
}

/** The field's name in code where it is no longer the wire's. */
function camelCase(field: string): string {
  return field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Contract, column, page or test; and the rooms that it is for. */
function isPlace({ contract, pages }: Entity, path: string): boolean {
  return (
    !/^(?:src|web)\//.test(path) ||
    isTest(path) ||
    path.includes("/fixtures/") ||
    path.startsWith("web/languages/") ||
    /^src\/(?:config|store|http\/reference\/words)\//.test(path) ||
    (path.startsWith(`src/admin/${contract}/`) && path.endsWith("contract.ts")) ||
    pages.some((page) => path.startsWith(`web/pages/${page}/`)) ||
    acting.test(path)
  );
}
