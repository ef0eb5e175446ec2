// A real SMTP server that keeps what it is handed, behind a user name and a password.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Certificate } from "../e2e/certificate.ts";
import { eventually } from "../books.ts";
import { readMail, type ReadMail } from "../mail/read-mail.ts";

export interface Mail {
  from: string;
  to: string[];
  text: string;
}

export const mailUser = "postmaster";
export const mailPassword = "a-very-secret-password";

/** A reply of the server in place of its usual one. */
class Refusal extends Error {
  readonly responseCode: number;

  constructor(message: string, responseCode: number) {
    super(message);
    this.responseCode = responseCode;
  }
}

export class Mailbox implements AsyncDisposable {
  readonly mails: Mail[] = [];
  /** Usernames that tried to sign in. */
  readonly signedIn: string[] = [];
  /** Whether each of them did so over TLS. */
  readonly securely: boolean[] = [];
  /** Answer to the next messages instead of taking them: a reply, or none ever. */
  fault: { recipient?: number; data?: number; isSilent?: boolean } = {};
  /** Messages that were begun, taken or not. */
  begun = 0;
  readonly #server: SMTPServer;

  private constructor(certificate: Certificate | null) {
    this.#server = new SMTPServer({
      // The end does not wait for those who wait in vain for an answer.
      closeTimeout: 100,
      ...(certificate ?? { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
      onAuth: ({ username = "", password }, { secure }, done) => {
        this.signedIn.push(username);
        this.securely.push(secure);
        if (username === mailUser && password === mailPassword) done(null, { user: username });
        else done(new Error("wrong password"));
      },
      onRcptTo: (_address, _session, done) => {
        const { recipient: responseCode } = this.fault;
        if (responseCode === undefined) return done();
        done(new Refusal("no such box", responseCode));
      },
      onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
        this.begun++;
        // A message has the answer that was due when it began, however late its end is read.
        const { data: responseCode, isSilent } = this.fault;
        let text = "";
        stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
        stream.on("end", () => {
          if (isSilent) return;
          if (responseCode !== undefined) {
            return done(new Refusal("not now", responseCode));
          }
          const from = mailFrom === false ? "" : mailFrom.address;
          this.mails.push({ from, to: rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
    // A client that is killed in the midst is what some tests are about.
    this.#server.on("error", () => {});
  }

  /** With a certificate nobody signs in before STARTTLS; without one there is no TLS. */
  static async open(certificate: Certificate | null = null): Promise<Mailbox> {
    const mailbox = new Mailbox(certificate);
    await new Promise<void>((resolve) => {
      mailbox.#server.listen(0, certificate ? "localhost" : "127.0.0.1", resolve);
    });
    return mailbox;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The so-manieth letter to somebody, as a mail program reads it, once it has come. */
  async to(address: string, times = 1): Promise<ReadMail> {
    const { text } = await eventually(`letter ${times} to ${address}`, async () => {
      return this.#to(address)[times - 1];
    });
    return readMail(text);
  }

  /** The so-manieth to somebody of which the subject has these words: several may come at once. */
  async about(address: string, words: string, times = 1): Promise<ReadMail> {
    return await eventually(`letter ${times} to ${address} about "${words}"`, async () => {
      const read = this.#to(address).map(({ text }) => readMail(text));
      return read.filter(({ headers }) => headers.get("subject")?.includes(words))[times - 1];
    });
  }

  countTo(address: string): number {
    return this.#to(address).length;
  }

  /** Domains come in small letters, however they were written. */
  #to(address: string): Mail[] {
    const wanted = address.toLowerCase();
    return this.mails.filter(({ to }) => to.some((one) => one.toLowerCase() === wanted));
  }

  /** The next that has this in it, once it has come. */
  async has(part: string, times = 1): Promise<Mail> {
    return await eventually(`an e-mail with ${part}`, async () => {
      return this.mails.filter(({ text }) => text.includes(part))[times - 1];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
