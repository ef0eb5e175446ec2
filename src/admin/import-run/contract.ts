// An import of another program's database that the gateway runs by itself, as it goes over the
// wire: what is uploaded for it, how far it is, and its report.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema } from "../contract/basics.ts";
import { progressFields, progressNote } from "../contract/progress.ts";
import { ImportInput } from "../import/contract.ts";

export type ImportProgram = "new-api" | "one-api" | "litellm";
const programSchema = Type.Unsafe<ImportProgram>({
  ...word("new-api", "one-api", "litellm"),
  description: "Program whose database it is.",
});

/** Lists of an import, in the order in which they need each other. */
export const importKinds = [
  "groups",
  "accounts",
  "projects",
  "members",
  "keys",
  "budgets",
  "channels",
  "prices",
  "codes",
  "identities",
  "announcements",
] as const;
export type ImportKind = (typeof importKinds)[number];

const CountView = Type.Object({
  found: whole("Rows in the source."),
  made: whole("Rows that were made by this run."),
  known: whole("Rows that had come before."),
  refused: whole("Rows that cannot come."),
});

const RemarkView = Type.Object({
  about: text("A kind of thing with its name."),
  why: text("Why it does not come, or not as it was."),
});

export const ImportReportView = Type.Object({
  source: text("What the database is called here."),
  dry_run: Type.Boolean({ description: "Nothing was written." }),
  counts: Type.Unsafe<Record<ImportKind, Static<typeof CountView>>>({
    ...Type.Record(Type.String(), CountView),
    description: "By kind of thing.",
  }),
  money: Type.Object({
    source_micros: moneySchema,
    left_behind_micros: moneySchema,
    planned_micros: moneySchema,
    granted_micros: orNull(moneySchema),
    equal: Type.Boolean({
      description: "The source's sum, its rows, and the entries of the ledger agree.",
    }),
  }),
  shown: Type.Object(
    {
      total: text("All there is."),
      deleted: text("Money of deleted accounts, which stays behind."),
      debts: text("Debts, which do not come."),
      rounded: text("Rounded down, to whole micros."),
    },
    { description: "In dollars, exact." },
  ),
  remarks: Type.Array(RemarkView, { description: "What did not come, or not as it was." }),
  configuration: Type.Array(text(), { description: "Lines for the configuration file." }),
});
export type ImportReportView = Static<typeof ImportReportView>;

const FileView = Type.Object({
  kind: word("database", "config"),
  name: text("Name that it had."),
  bytes: whole("Its size."),
  created_at: momentSchema,
});
export type ImportFileView = Static<typeof FileView>;

export type ImportStep = "read" | "plan" | ImportKind | "sums";

export const ImportWorkView = Type.Object(
  {
    ...progressFields,
    kind: word("dry", "real"),
    program: programSchema,
    step: orNull(
      Type.Unsafe<ImportStep>({
        ...word("read", "plan", ...importKinds, "sums"),
        description: "What it is at: a list while its rows are written.",
      }),
    ),
    result: Type.Unsafe<ImportReportView | null>({
      ...orNull(ImportReportView),
      description: "The report; null until it is done.",
    }),
  },
  progressNote,
);
export type ImportWorkView = Static<typeof ImportWorkView>;

export const ImportRunsView = Type.Object({
  elsewhere: orNull(
    text("How an import is run where nodes share a database; null where it is run here."),
  ),
  upload_bytes_max: whole("The largest database that may be uploaded now."),
  files: Type.Array(FileView, {
    description:
      "Uploaded sources. They are removed after an import, after two hours, and at a stop.",
  }),
  work: orNull(ImportWorkView),
});
export type ImportRunsView = Static<typeof ImportRunsView>;

const closed = { additionalProperties: false } as const;
const variableName = "^[A-Za-z_][A-Za-z0-9_]{0,127}$";

const databaseAddress = /^(?:postgres(?:ql)?|mysql):\/\/\S+$|^[^:@/\s]+:\S*@tcp\([^)\s]+\)\/\S+$/;

export const ImportRunInput = Type.Object(
  {
    program: programSchema,
    dry_run: Type.Boolean({ description: "Read and plan everything, write nothing." }),
    source: Type.Optional(ImportInput.properties.source),
    address: Type.Optional(
      Type.Refine(
        Type.String({
          maxLength: 2000,
          description:
            "Address of its PostgreSQL or MySQL, in place of an uploaded database. It is used " +
            "for this run, and kept nowhere.",
        }),
        (address) => databaseAddress.test(address),
        () => "must be an address such as postgres://user:password@host/database",
      ),
    ),
    salt: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: "LiteLLM's salt; kept nowhere." }),
    ),
    variables: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: "object",
        propertyNames: { pattern: variableName },
        maxProperties: 500,
        additionalProperties: { type: "string", maxLength: 10_000 },
        description:
          "Variables that LiteLLM's file names (`os.environ/NAME`); kept nowhere. The gateway's " +
          "own are never read.",
      }),
    ),
    allow_private: Type.Optional(
      Type.Boolean({
        description: "Take channels at addresses of the gateway's machine or network.",
      }),
    ),
  },
  closed,
);
export type ImportRunInput = Static<typeof ImportRunInput>;

const shownName = /^[^\p{Cc}/\\]{1,200}$/u;

const uploadQuery = {
  kind: {
    schema: word("database", "config"),
    isRequired: true,
    description: "A SQLite file, or LiteLLM's configuration.",
  },
  name: {
    schema: text(),
    isRequired: true,
    description: "Its name, which is only shown.",
    read(name: string, param: string) {
      if (shownName.test(name)) return name;
      throw invalid(param, "must be the name of a file");
    },
  },
} as const;

const { call } = callsOf("Import");
const guarded = { permission: "gateway.import" } as const;

export const importRunCalls = {
  read: call("GET /api/import/run", "Read how an import is going, and its report", {
    ...guarded,
    answer: ImportRunsView,
  }),
  start: call("POST /api/import/run", "Run an import, or plan one", {
    ...guarded,
    description:
      "It reads what was uploaded, or the database at the address, and goes on by itself, as " +
      "`sluice import` does; the list says how far it is.",
    body: bodyOf(ImportRunInput, { program: "new-api", dry_run: true }),
    answer: ImportWorkView,
  }),
  upload: call("POST /api/import/run/upload", "Upload what is to be imported", {
    ...guarded,
    description:
      "The body is the file itself, in place of the last of its kind. It has to come within " +
      "`server.body_seconds`.",
    query: uploadQuery,
    fileTypes: ["application/octet-stream"],
    answer: FileView,
  }),
  remove: call("DELETE /api/import/run", "Remove what was uploaded", {
    ...guarded,
    answer: Type.Object({ removed: whole("Files that were removed.") }),
  }),
};
export type ImportRunCalls = typeof importRunCalls;
