// One message over SMTP. The library is loaded with the first.
import { readFile } from "node:fs/promises";
import type { Deadlines } from "../core/deadline.ts";

export interface SmtpSettings {
  readonly host: string;
  readonly port?: number;
  readonly tls: "starttls" | "implicit" | "none";
  readonly caFile?: string;
  readonly user?: string;
  readonly password?: string;
  readonly from: string;
}

export interface SmtpNeeds {
  deadlines: Deadlines;
  smtp: SmtpSettings;
}

interface Message {
  to: readonly string[];
  subject: string;
  text: string;
  html?: string;
  /** The same for each try, so that a second one is seen to be the same message. */
  messageId?: string;
  date?: Date;
}

const stepMs = 15_000;
const wholeMs = 45_000;

/** Throws when it did not arrive. */
export async function sendMessage({ deadlines, smtp }: SmtpNeeds, message: Message): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(toOptions(smtp, await readAuthorities(smtp)));
  const over = Promise.withResolvers<never>();
  const watch = deadlines.watch(wholeMs, () => over.reject(new Error("it took too long")));
  const { to, ...rest } = message;
  try {
    const sending = transport.sendMail({ from: smtp.from, to: [...to], ...rest });
    await Promise.race([sending, over.promise]);
  } finally {
    watch.end();
    transport.close();
  }
}

/**
 * True where the server has refused this very recipient or message for good: another try would end
 * alike. A refused sign-in is the operator's to mend, and is tried again.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error) || !("command" in error))
    return false;
  const { responseCode: status, command } = error;
  const isOfMessage = command === "RCPT TO" || command === "DATA";
  return isOfMessage && typeof status === "number" && status >= 500 && status <= 599;
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
