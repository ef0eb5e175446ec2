// A real SMTP server that keeps what it is handed, behind a user name and a password.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Certificate } from "../e2e/certificate.ts";
import { eventually } from "../books.ts";

export interface Mail {
  from: string;
  to: string[];
  text: string;
}

export const mailUser = "postmaster";
export const mailPassword = "a-very-secret-password";

export class Mailbox implements AsyncDisposable {
  readonly mails: Mail[] = [];
  /** Usernames that tried to sign in. */
  readonly signedIn: string[] = [];
  /** Whether each of them did so over TLS. */
  readonly securely: boolean[] = [];
  readonly #server: SMTPServer;

  private constructor(certificate: Certificate | null) {
    this.#server = new SMTPServer({
      ...(certificate ?? { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }),
      onAuth: ({ username = "", password }, { secure }, done) => {
        this.signedIn.push(username);
        this.securely.push(secure);
        if (username === mailUser && password === mailPassword) done(null, { user: username });
        else done(new Error("wrong password"));
      },
      onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
        let text = "";
        stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
        stream.on("end", () => {
          const from = mailFrom === false ? "" : mailFrom.address;
          this.mails.push({ from, to: rcptTo.map(({ address }) => address), text });
          done();
        });
      },
    });
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
