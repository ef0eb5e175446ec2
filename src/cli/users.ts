// sluice user: accounts and their money.
import type { Command } from "commander";
import { linkCalls } from "../admin/session/contract.ts";
import { userCalls, type CreditView } from "../admin/user/contract.ts";
import { systemRandom } from "../core/random.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import { readSecret, type CommandNeeds, type CommandOptions } from "./command.ts";
import { moneyOption } from "./readers.ts";
import { dollars, momentText } from "./table.ts";

const of = {
  list: userCalls.list,
  nameField: "username",
  word: ["user", "its username or id"],
} as const;

const passwordBytes = 18;

export function addUserCommands(program: Command, needs: CommandNeeds): void {
  const users = program.command("user").description("make and list accounts, and credit them");
  addCreate(users, needs);
  addListCommand(users, needs, {
    description: "list the accounts and what they have",
    examples: ["sluice user list", "sluice user list --group partners"],
    call: userCalls.list,
    columns: [
      "id",
      "username",
      "role",
      "group",
      ["AVAILABLE", ({ quota_micros: quota }) => dollars(quota)],
      "held_micros",
      "used_micros",
      "status",
    ],
  });
  addCredit(users, needs);
  addCallCommand(users, "disable", needs, {
    description: "disable an account: neither it nor its keys get in",
    examples: ["sluice user disable alice"],
    call: userCalls.disable,
    of,
    text: ({ username }) => `disabled ${username}`,
  });
  addCallCommand(users, "token", needs, {
    description: "make an access token for scripts; its text is shown once",
    examples: ["sluice user token root --name backup-script"],
    call: userCalls.createToken,
    of,
    text: ({ token }, { wanted: user }) =>
      `${token}\n\nIt acts as ${user}. Its text is not shown again.`,
  });
  addCallCommand(users, "revoke-tokens", needs, {
    description: "revoke all access tokens of an account",
    examples: ["sluice user revoke-tokens alice"],
    call: userCalls.revokeTokens,
    of,
    text: ({ revoked }, { wanted: user }) => `revoked ${revoked} access tokens of ${user}`,
  });
  addCallCommand(users, "link", needs, {
    description: "make a link that signs someone in once, within 15 minutes",
    examples: ["sluice user link root"],
    call: linkCalls.create,
    of,
    text: ({ url }) => url,
  });
  addCallCommand(users, "reset-second-factor", needs, {
    description: "take an account's second factors away, for one who has lost them all",
    examples: ["sluice user reset-second-factor root"],
    call: userCalls.resetFactors,
    of,
    text: (_reset, { wanted: user }) =>
      `${user} signs in by password alone and is signed out everywhere`,
  });
}

function addCreate(users: Command, { terminal, ...needs }: CommandNeeds): void {
  const isMade = ({ password }: CommandOptions) => password === undefined;
  addCallCommand(
    users,
    "create",
    { terminal, ...needs },
    {
      description: "make an account; without a password one is made and shown once",
      examples: [
        "sluice user create alice --quota '$10'",
        "sluice user create bob --role admin --password - < password.txt",
      ],
      call: userCalls.create,
      words: { username: { text: "the name to sign in with" } },
      options: {
        password: { text: "the password; - reads it from the standard input" },
        quota_micros: { text: "what it starts with, such as '$10', or in micros" },
      },
      async prepare({ fields: { password, ...fields } }) {
        const text = typeof password === "string" ? await readSecret(terminal, password) : make();
        return { ...fields, password: text };
      },
      shown: (user, { options, fields: { password } }) =>
        isMade(options) ? { ...user, password } : user,
      text(_user, { wanted, options, fields: { password } }) {
        const secret = isMade(options) ? `\npassword: ${String(password)} (not shown again)` : "";
        return `made the account ${wanted}${secret}`;
      },
    },
  );
}

function make(): string {
  return Buffer.from(systemRandom.bytes(passwordBytes)).toString("base64url");
}

function addCredit(users: Command, needs: CommandNeeds): void {
  addCallCommand(users, "credit", needs, {
    description: "give an account money; a negative amount takes back at most what is left",
    examples: [
      `sluice user credit alice '$10' --reason "invoice 42" --id invoice-42`,
      `sluice user credit alice '$-2.50' --reason "refunded"`,
    ],
    call: userCalls.credit,
    of,
    words: {
      micros: {
        name: "money",
        text: "dollars such as '$10', or micros (millionths of one)",
        read: moneyOption,
      },
    },
    options: {
      reason: { text: "why, for the books", isRequired: true },
      id: { text: "a payment's own id, which is credited only once" },
    },
    text: (booked, { wanted }) =>
      `${tellBooked(booked)}; ${wanted} has ${dollars(booked.quota_micros)}`,
  });
}

/** A payment that was sent twice is in the books once, and who sent it may have forgotten. */
function tellBooked({ micros, repeated, booked_at: at }: CreditView): string {
  if (!repeated) return `booked ${dollars(micros)}`;
  const day = momentText(at).replace(/\.\d+/, "");
  return `${dollars(micros)} was booked before, on ${day}, and not again`;
}
