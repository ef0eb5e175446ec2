// sluice user: accounts and their money.
import type { Command } from "commander";
import { isObject, type Json } from "../core/json.ts";
import { systemRandom } from "../core/random.ts";
import {
  addJsonCommand,
  addListCommand,
  control,
  momentOption,
  moneyOption,
  printOne,
  readSecret,
  type CommandNeeds,
  type JsonOption,
} from "./command.ts";
import { dollars, type Column } from "./table.ts";

const columns: readonly Column[] = [
  { title: "ID", from: "id" },
  { title: "USERNAME", from: "username" },
  { title: "ROLE", from: "role" },
  { title: "GROUP", from: "group" },
  { title: "AVAILABLE", from: ({ quota_micros: quota }) => dollars(quota) },
  { title: "HELD", from: ({ held_micros: held }) => dollars(held) },
  { title: "USED", from: ({ used_micros: used }) => dollars(used) },
  { title: "STATUS", from: "status" },
];

const passwordBytes = 18;

export function addUserCommands(program: Command, needs: CommandNeeds): void {
  const users = program.command("user").description("make and list accounts, and credit them");
  addCreate(users, needs);
  addListCommand(users, needs, {
    description: "list the accounts and what they have",
    examples: ["sluice user list"],
    columns,
    read: (client) => client.all("/api/user"),
  });
  addCredit(users, needs);
  addToken(users, needs);
  addLink(users, needs);
  addReset(users, needs);
}

interface UserOptions extends JsonOption {
  password?: string;
  group?: string;
  quota?: number;
  role?: string;
}

function addCreate(users: Command, needs: CommandNeeds): void {
  addJsonCommand(users, "create", {
    description: "make an account; without a password one is made and shown once",
    examples: [
      "sluice user create alice --quota '$10'",
      "sluice user create bob --role admin --password - < password.txt",
    ],
  })
    .argument("<username>", "the name to sign in with")
    .option("--password <text>", "the password; - reads it from the standard input")
    .option("--group <name>", "its group (default: default)")
    .option("--quota <money>", "what it starts with, such as '$10', or in micros", moneyOption)
    .option("--role <role>", "user, admin or root (default: user)")
    .action((username: string, options: UserOptions) =>
      control(needs, async (client) => {
        const { group, quota: quota_micros, role } = options;
        const chosen = options.password;
        const password =
          chosen === undefined ? makePassword() : await readSecret(needs.terminal, chosen);
        const body = { username, password, group, quota_micros, role };
        const user = await client.post("/api/user", body);
        const shown = chosen === undefined && isObject(user) ? { ...user, password } : user;
        const secret = chosen === undefined ? `\npassword: ${password} (not shown again)` : "";
        printOne(needs.terminal, shown, `made the account ${username}${secret}`, options);
      }),
    );
}

function makePassword(): string {
  return Buffer.from(systemRandom.bytes(passwordBytes)).toString("base64url");
}

interface CreditOptions extends JsonOption {
  reason: string;
  id?: string;
}

function addCredit(users: Command, needs: CommandNeeds): void {
  addJsonCommand(users, "credit", {
    description: "give an account money; a negative amount takes back at most what is left",
    examples: [
      `sluice user credit alice '$10' --reason "invoice 42" --id invoice-42`,
      `sluice user credit alice '$-2.50' --reason "refunded"`,
    ],
  })
    .argument("<user>", "its username or id")
    .argument("<money>", "dollars such as '$10', or micros (millionths of one)", moneyOption)
    .requiredOption("--reason <text>", "why, for the books")
    .option("--id <id>", "a payment's own id, which is credited only once")
    .action((user: string, micros: number, options: CreditOptions) =>
      control(needs, async (client) => {
        const id = await client.find("/api/user", "username", user);
        const { reason, id: once } = options;
        const booked = await client.post(`/api/user/${id}/credit`, { micros, reason, id: once });
        const { quota_micros: left } = isObject(booked) ? booked : {};
        const text = `${tellBooked(booked)}; ${user} has ${dollars(left)}`;
        printOne(needs.terminal, booked, text, options);
      }),
    );
}

/** A payment that was sent twice is in the books once, and who sent it may have forgotten. */
function tellBooked(booked: Json): string {
  const { micros: moved, repeated, booked_at: at } = isObject(booked) ? booked : {};
  if (repeated !== true) return `booked ${dollars(moved)}`;
  const day = new Date(Number(at) * 1000).toISOString().replace(/\.\d+/, "");
  return `${dollars(moved)} was booked before, on ${day}, and not again`;
}

function addReset(users: Command, needs: CommandNeeds): void {
  addJsonCommand(users, "reset-second-factor", {
    description: "take an account's second factors away, for one who has lost them all",
    examples: ["sluice user reset-second-factor root"],
  })
    .argument("<user>", "its username or id")
    .action((user: string, options: JsonOption) =>
      control(needs, async (client) => {
        const id = await client.find("/api/user", "username", user);
        const reset = await client.remove(`/api/user/${id}/second-factor`);
        const text = `${user} signs in by password alone and is signed out everywhere`;
        printOne(needs.terminal, reset, text, options);
      }),
    );
}

interface TokenOptions extends JsonOption {
  name?: string;
  expires?: number | string;
}

function addLink(users: Command, needs: CommandNeeds): void {
  addJsonCommand(users, "link", {
    description: "make a link that signs someone in once, within 15 minutes",
    examples: ["sluice user link root"],
  })
    .argument("<user>", "the username or id of the account")
    .action((user: string, options: JsonOption) =>
      control(needs, async (client) => {
        const id = await client.find("/api/user", "username", user);
        const link = await client.post(`/api/user/${id}/link`, {});
        printOne(needs.terminal, link, isObject(link) ? String(link["url"]) : "", options);
      }),
    );
}

function addToken(users: Command, needs: CommandNeeds): void {
  addJsonCommand(users, "token", {
    description: "make an access token for scripts; its text is shown once",
    examples: ["sluice user token root --name backup-script"],
  })
    .argument("<user>", "the username or id of the account it acts for")
    .option("--name <name>", "what it is for")
    .option("--expires <time>", "unix seconds, or a date and time with its zone", momentOption)
    .action((user: string, options: TokenOptions) =>
      control(needs, async (client) => {
        const id = await client.find("/api/user", "username", user);
        const { name, expires: expires_at } = options;
        const created = await client.post(`/api/user/${id}/token`, { name, expires_at });
        const token = isObject(created) ? String(created["token"]) : "";
        const text = `${token}\n\nIt acts as ${user}. Its text is not shown again.`;
        printOne(needs.terminal, created, text, options);
      }),
    );
}
