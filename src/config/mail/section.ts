// Settings of e-mail: the server that it goes through, and what every letter ends with.
import { Type, type Static } from "../../core/schema.ts";
import { camelKeys, convertedSection, each, live, nextStart, wholeSetting } from "../setting.ts";

const closed = { additionalProperties: false } as const;

export const address = (description: string) =>
  Type.Refine(
    Type.String({ minLength: 3, maxLength: 320, description }),
    isMailAddress,
    () => "must be an e-mail address",
  );

function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text);
}

export const SmtpServer = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 253, description: "Name of the server." }),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: "Its port. Default: 587, or 465." }),
    ),
    tls: Type.Optional(
      Type.Enum(["starttls", "implicit", "none"], {
        description:
          "How the connection is secured. Default: starttls, without which nothing goes.",
      }),
    ),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          "File of PEM certificates that vouch for the server. Default: those that all trust.",
      }),
    ),
    user: Type.Optional(
      Type.String({ minLength: 1, maxLength: 320, description: "Who signs in." }),
    ),
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, description: "With what." }),
    ),
    from: address("The sender's address."),
  },
  { ...closed, description: "The server that e-mail goes through." },
);

type SmtpInput = Static<typeof SmtpServer>;

/** `noticed` is the server of `notices.smtp`, the older place of the same setting. */
export function readSmtp(own: SmtpInput | undefined, noticed: SmtpInput | undefined) {
  const server = own ?? noticed;
  return server ? { tls: "starttls" as const, ...camelKeys(server) } : null;
}

export const mailSection = convertedSection(
  "E-mail to people: the server, and what every letter has.",
  {
    smtp: nextStart(Type.Optional(SmtpServer)),
    ...each(live, {
      footer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description: "Plain text under every letter. Default: none.",
        }),
      ),
      hourly_max: wholeSetting("Letters that are sent in an hour; the rest waits.", {
        default: 200,
        maximum: 1_000_000,
      }),
    }),
  },
  ({ smtp: _smtp, footer, hourlyMax }) => ({ footer: footer ?? null, hourlyMax }),
);
