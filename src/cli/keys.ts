// sluice key: API keys.
import type { Command } from "commander";
import { keyCalls } from "../admin/key/contract.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import type { CommandNeeds } from "./command.ts";
import { dollars } from "./table.ts";

const of = {
  list: keyCalls.list,
  nameField: "name",
  word: ["key", "its id, or its name where no other has it"],
} as const;

export function addKeyCommands(program: Command, needs: CommandNeeds): void {
  const keys = program.command("key").description("make, list, change, rotate and revoke API keys");
  addCallCommand(keys, "create", needs, {
    description: "make a key; its text is shown once",
    examples: [
      "sluice key create laptop",
      "sluice key create trial --quota '$5' --expires 2030-01-01T00:00:00Z",
    ],
    call: keyCalls.create,
    words: { name: { text: "what to call it" } },
    options: {
      account: { value: "user", text: "who pays, by user name or id (default: oneself)" },
    },
    text: tellText,
  });
  addCallCommand(keys, "edit", needs, {
    description: "change what is named of a key and leave the rest",
    examples: [
      "sluice key edit laptop --quota '$10'",
      "sluice key edit laptop --map 'claude-haiku-*=chatA'",
      "sluice key edit laptop --model-requests-per-minute 'claude-opus-*=5'",
      "sluice key edit laptop --log-content",
    ],
    call: keyCalls.change,
    of,
    text: (_key, { fields }) => `changed ${Object.keys(fields).join(", ")}`,
  });
  addListCommand(keys, needs, {
    description: "list the keys of every account",
    examples: ["sluice key list", "sluice key list --account alice --sort -used_micros"],
    call: keyCalls.list,
    columns: [
      "id",
      "name",
      ["KEY", "shown"],
      "account",
      "group",
      ["QUOTA", ({ quota_micros: quota }) => dollars(quota)],
      "used_micros",
      "status",
    ],
  });
  addCallCommand(keys, "rotate", needs, {
    description: "give a key another text, which is shown once",
    examples: ["sluice key rotate laptop", "sluice key rotate laptop --overlap-seconds 3600"],
    call: keyCalls.rotate,
    of,
    text: tellText,
  });
  addCallCommand(keys, "revoke", needs, {
    description: "revoke a key for good, at once",
    examples: ["sluice key revoke laptop"],
    call: keyCalls.revoke,
    of,
    text: ({ id }) => `revoked ${id}`,
  });
}

function tellText({ key, id }: { key: string; id: string }): string {
  return `${key}\n\nThis is ${id}. Its text is not shown again.`;
}
