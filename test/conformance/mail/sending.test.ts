// Letters survive a server that is away, slow or refuses, and a gateway that is killed: they are
// sent again under the same name, and what is not to be sent any more leaves nothing behind.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../harness/books.ts";
import { password } from "../../harness/browser.ts";
import { newCertificate } from "../../harness/e2e/certificate.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway, startProcess, type Gateway } from "../../harness/gateway.ts";
import { mailConfig, newPerson, prove, provenPerson } from "../../harness/mail/people.ts";
import { tokenIn } from "../../harness/mail/read-mail.ts";
import { Mailbox, mailPassword, mailUser } from "../../harness/notices/mailbox.ts";
import { rowsOf } from "../../harness/rows.ts";

setDefaultTimeout(60_000);

const set = "/api/user/self/email";

interface Row {
  [column: string]: string | number | null;
  state: string;
  tries: number;
  data: string | null;
  recipient: string | null;
  message_id: string;
  error: string | null;
}

async function rowOf(gateway: Gateway, state: string): Promise<Row> {
  return await eventually(`a letter that is ${state}`, async () => {
    const rows = await rowsOf<Row>(gateway, "select * from mail order by id desc limit 1");
    return rows[0]?.state === state ? rows[0] : undefined;
  });
}

/** The letter once its first try has failed. */
async function failedOnce(gateway: Gateway): Promise<Row> {
  return await eventually("a failed try", async () => {
    const row = await rowOf(gateway, "waiting");
    return row.error === null ? undefined : row;
  });
}

describe("a letter", () => {
  test("that the server does not take now is tried again after a minute, under the same name", async () => {
    await using mailbox = await Mailbox.open();
    await using gateway = await startGateway({ config: mailConfig(mailbox) });
    const { at, email } = await newPerson(gateway);
    mailbox.fault = { data: 451 };
    await at.ask("POST", set, { email, password });
    const waiting = await rowOf(gateway, "waiting");
    const tried = await eventually("the first try", async () => {
      const row = await rowOf(gateway, "waiting");
      return row.tries === 1 ? row : undefined;
    });
    expect(tried.error).not.toContain(email);
    expect(tried.data).not.toContain("http");
    mailbox.fault = {};
    gateway.pass(61);
    const { headers } = await mailbox.to(email);
    expect(headers.get("message-id")).toBe(waiting.message_id);
    expect(await rowOf(gateway, "sent")).toMatchObject({ tries: 2, data: null, recipient: null });
    expect(mailbox.begun).toBe(2);
  });

  test("waits for a server that is not there, and for one that never answers, within its time", async () => {
    await using mailbox = await Mailbox.open();
    await using gone = await Mailbox.open();
    const config = mailConfig(gone);
    await gone[Symbol.asyncDispose]();
    {
      await using gateway = await startGateway({ config });
      const { at, email } = await newPerson(gateway);
      await at.ask("POST", set, { email, password });
      const refused = await failedOnce(gateway);
      expect(refused.error).toContain("ECONNREFUSED");
    }
    mailbox.fault = { isSilent: true };
    await using gateway = await startGateway({ config: mailConfig(mailbox) });
    const { at, email } = await newPerson(gateway);
    await at.ask("POST", set, { email, password });
    await eventually("the server has it", async () => (mailbox.begun > 0 ? true : undefined));
    gateway.pass(46);
    expect((await failedOnce(gateway)).error).toContain("took too long");
    mailbox.fault = {};
    gateway.pass(61);
    await mailbox.to(email);
    expect(await rowOf(gateway, "sent")).toMatchObject({ tries: 2 });
    expect(mailbox.countTo(email)).toBe(1);
  });

  test("whose box is not there is given up at once", async () => {
    await using mailbox = await Mailbox.open();
    await using gateway = await startGateway({ config: mailConfig(mailbox) });
    const { at, email } = await newPerson(gateway);
    mailbox.fault = { recipient: 550 };
    await at.ask("POST", set, { email, password });
    const row = await rowOf(gateway, "failed");
    expect(row).toMatchObject({ tries: 1, data: null, recipient: null });
    expect(gateway.output).not.toContain(email);
  });

  test("that no server takes in time is not sent when its link is over", async () => {
    await using mailbox = await Mailbox.open();
    await using gateway = await startGateway({ config: mailConfig(mailbox) });
    const person = await provenPerson(gateway, mailbox);
    mailbox.fault = { data: 451 };
    await person.at.ask("POST", "/api/user/reset", { who: person.username });
    for (const seconds of [61, 301, 1801]) {
      const { tries } = await rowOf(gateway, "waiting");
      gateway.pass(seconds);
      await eventually("another try", async () => {
        const [row] = await rowsOf<Row>(gateway, "select * from mail order by id desc limit 1");
        return row && (row.tries > tries || row.state === "failed") ? true : undefined;
      });
    }
    mailbox.fault = {};
    expect(await rowOf(gateway, "failed")).toMatchObject({ error: "it was too late", data: null });
    expect(mailbox.countTo(person.email)).toBe(1);
  });

  test("waits for a server that does not speak TLS, and says no password to it", async () => {
    await using folder = new Folder();
    const certificate = newCertificate("localhost");
    const caFile = join(folder.path, "ca.pem");
    writeFileSync(caFile, certificate.cert);
    await using bare = await Mailbox.open();
    await using secure = await Mailbox.open(certificate);
    const smtp = (port: number) => ({
      host: "localhost",
      port,
      ca_file: caFile,
      user: mailUser,
      password: mailPassword,
      from: "sluice@gateway.example",
    });
    const config = (port: number) => mailConfig(bare, { mail: { smtp: smtp(port) } });
    {
      await using gateway = await startGateway({ config: config(bare.port) });
      const { at, email } = await newPerson(gateway);
      await at.ask("POST", set, { email, password });
      await failedOnce(gateway);
      expect(bare.signedIn).toEqual([]);
    }
    await using gateway = await startGateway({ config: config(secure.port) });
    await provenPerson(gateway, secure);
    expect(secure.securely).toEqual([true]);
  });

  test("is one of so many in an hour, and the rest waits", async () => {
    await using mailbox = await Mailbox.open();
    const { smtp } = (JSON.parse(mailConfig(mailbox)) as { mail: { smtp: object } }).mail;
    const config = mailConfig(mailbox, { mail: { smtp, hourly_max: 1, footer: "Acme, Berlin" } });
    await using gateway = await startGateway({ config });
    const [one, two] = [await newPerson(gateway), await newPerson(gateway)];
    await prove(one, mailbox);
    expect((await mailbox.to(one.email)).text.trimEnd()).toEndWith("-- \nAcme, Berlin");
    await two.at.ask("POST", set, { email: two.email, password });
    gateway.pass(16);
    expect(mailbox.countTo(two.email)).toBe(0);
    gateway.pass(3600);
    await mailbox.to(two.email);
  });
});

test("a letter survives a kill between its commit and its sending, and one that hangs in the midst", async () => {
  using folder = new Folder();
  await using mailbox = await Mailbox.open();
  mailbox.fault = { isSilent: true };
  const options = { folder: folder.path, config: mailConfig(mailbox) };
  let email: string;
  let messageId: string;
  {
    const gateway = await startProcess(options);
    const person = await newPerson(gateway);
    ({ email } = person);
    await person.at.ask("POST", set, { email, password });
    await eventually("the server has it", async () => (mailbox.begun > 0 ? true : undefined));
    ({ message_id: messageId } = await rowOf(gateway, "sending"));
    await gateway.kill();
  }
  mailbox.fault = {};
  await using gateway = await startGateway(options);
  gateway.pass(121);
  const letter = await mailbox.to(email);
  expect(letter.headers.get("message-id")).toBe(messageId);
  expect(tokenIn(letter)).not.toBe("");
  expect(await rowOf(gateway, "sent")).toMatchObject({ tries: 2 });
  expect(mailbox.countTo(email)).toBe(1);
});
