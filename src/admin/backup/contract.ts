// Backups that the gateway takes of itself, and what is made of them, as they go over the wire.
import { invalid } from "../../core/errors.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";
import { progressFields, progressNote } from "../contract/progress.ts";
import { proofBody } from "../second-factor/contract.ts";

export const BackupView = Type.Object({
  name: text("Name of the file, which is its id here."),
  bytes: whole("Its size."),
  created_at: momentSchema,
});
export type BackupView = Static<typeof BackupView>;

const ResultView = Type.Object({
  accounts: whole("Accounts in its books."),
  entries: whole("Entries of its ledger."),
  media_files: orNull(whole("Results and registered files in it; null of a restore.")),
  bytes: orNull(whole("Size of the archive; null of a restore.")),
  folder: orNull(text("The data folder that was made; null of a backup.")),
  command: orNull(text("Starts the gateway on that folder; null of a backup.")),
  notes: Type.Array(text(), { description: "What is not in it, or does not agree." }),
});

export const BackupWorkView = Type.Object(
  {
    ...progressFields,
    kind: word("take", "restore"),
    backup: text("Name of the backup it is about."),
    step: orNull(
      Type.Unsafe<BackupStep>({
        ...word("databases", "files", "books", "archive", "unpack", "compare", "place"),
        description: "What it is at; null before the first and after the last.",
      }),
    ),
    result: Type.Unsafe<Static<typeof ResultView> | null>({
      ...orNull(ResultView),
      description: "What came of it; null until it is done.",
    }),
  },
  progressNote,
);
export type BackupWorkView = Static<typeof BackupWorkView>;
export type BackupStep =
  "databases" | "files" | "books" | "archive" | "unpack" | "compare" | "place";

export const BackupsView = Type.Object({
  folder: text("Where they are kept, on the machine of the gateway."),
  elsewhere: orNull(
    text("How a backup is taken where the rows are in PostgreSQL; null where it is taken here."),
  ),
  last_at: orNull(momentSchema),
  upload_bytes_max: whole("The largest archive that may be uploaded now."),
  items: Type.Array(BackupView, { description: "Backups in that folder, the newest first." }),
  work: orNull(BackupWorkView),
});
export type BackupsView = Static<typeof BackupsView>;

const closed = { additionalProperties: false };

const TakeInput = Type.Object(
  { media: Type.Boolean({ description: "Whether results and registered files are in it." }) },
  closed,
);

const RestoreInput = Type.Object(
  {
    folder: Type.Refine(
      Type.String({
        maxLength: 100,
        description: "Name of the new folder, which is made beside the data folder.",
      }),
      (name) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name),
      () => "must be a name of letters, digits, dots, _ and -, and begin with a letter or digit",
    ),
  },
  closed,
);

const LinkView = Type.Object({
  path: text("Opens the file once, in this session."),
  expires_at: momentSchema,
});
export type LinkView = Static<typeof LinkView>;

/** A name that leads nowhere else. */
export const backupName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.tar\.gz$/;

const uploadQuery = {
  name: {
    schema: text(),
    isRequired: true,
    description: "What it is to be called: letters, digits, `.`, `_`, `-`, and `.tar.gz` behind.",
    read(name: string, param: string) {
      if (backupName.test(name)) return name;
      throw invalid(param, "must be made of letters, digits, . _ and -, and end in .tar.gz");
    },
  },
} as const;

const { call } = callsOf("Backups");
const guarded = { permission: "gateway.backup" } as const;

export const backupCalls = {
  list: call("GET /api/backup", "List backups, and how the work on them is going", {
    ...guarded,
    answer: BackupsView,
  }),
  take: call("POST /api/backup", "Take a backup", {
    ...guarded,
    description: "It goes on in a thread of its own; the list says how far it is.",
    body: bodyOf(TakeInput, { media: true }),
    answer: BackupWorkView,
  }),
  upload: call("POST /api/backup/upload", "Upload a backup", {
    ...guarded,
    description:
      "The body is the archive itself. It has to come within `server.body_seconds`; a larger one " +
      "is copied into the folder of backups.",
    query: uploadQuery,
    fileTypes: ["application/gzip", "application/octet-stream"],
    answer: BackupView,
  }),
  restore: call("POST /api/backup/{name}/restore", "Restore a backup to a new folder", {
    ...guarded,
    description:
      "Never over data that is there: it is proven as `sluice ledger verify` does, and a gateway " +
      "has to be started on it.",
    body: bodyOf(RestoreInput, { folder: "data-restored" }),
    answer: BackupWorkView,
  }),
  remove: call("DELETE /api/backup/{name}", "Delete a backup", { ...guarded, answer: removed }),
};

/** For people in a browser alone. */
export const backupLinkCalls = {
  link: call("POST /api/backup/{name}/link", "Make a link to a backup", {
    ...guarded,
    carriers: ["session"],
    description: "Needs the password, or a second factor. The link works once, for this session.",
    body: proofBody,
    answer: LinkView,
  }),
};
export type BackupCalls = typeof backupCalls & typeof backupLinkCalls;
