// Tells people by e-mail over SMTP. The library is loaded with the first message.
import { readFile } from "node:fs/promises";
import type { Deadlines } from "../../core/deadline.ts";
import type { Notice } from "../notice.ts";
import type { Way } from "../sender.ts";
import { linesOf } from "./chat.ts";

interface SmtpSettings {
  readonly host: string;
  readonly port?: number;
  readonly tls: "starttls" | "implicit" | "none";
  readonly caFile?: string;
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
}

interface EmailNeeds {
  deadlines: Deadlines;
  smtp: SmtpSettings;
  to: readonly string[];
  /** Name of the gateway. */
  site: string;
}

const batchMax = 200;
const stepMs = 15_000;
const wholeMs = 45_000;

export function emailWay({ deadlines, smtp, to, site }: EmailNeeds): Way {
  return {
    batchMax,
    async send(notices) {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(toOptions(smtp, await readAuthorities(smtp)));
      const over = Promise.withResolvers<never>();
      const watch = deadlines.watch(wholeMs, () => over.reject(new Error("it took too long")));
      const { from } = smtp;
      const subject = subjectOf(site, notices);
      const message = { from, to: [...to], subject, text: `${linesOf(site, notices)}\n` };
      try {
        await Promise.race([transport.sendMail(message), over.promise]);
      } finally {
        watch.end();
        transport.close();
      }
    },
  };
}

function subjectOf(site: string, notices: readonly Notice[]): string {
  const [first] = notices;
  if (notices.length === 1 && first) return `[${site}] ${first.text}`;
  return `[${site}] ${notices.length} notices`;
}

/** Read for each message, since such certificates are changed while programs run. */
async function readAuthorities({ caFile }: SmtpSettings): Promise<string | null> {
  return caFile === undefined ? null : await readFile(caFile, "utf8");
}

function toOptions({ host, port, tls, user, password }: SmtpSettings, ca: string | null) {
  return {
    host,
    port: port ?? (tls === "implicit" ? 465 : 587),
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    // Nothing is read from a file or an address, whatever a message says.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(ca !== null && { tls: { ca } }),
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
  };
}
