// Settings of who is told when something needs a person: what is watched, by which marks, and the
// ways out.
import { Type, type Static } from "../core/schema.ts";
import { isZoneName, name } from "./fields.ts";
import { address, SmtpServer } from "./mail/section.ts";
import { convertedSection, each, live, nextStart, wholeSetting } from "./setting.ts";

export const noticeKinds = [
  "low_balance",
  "low_key",
  "budget_mark",
  "window_limit",
  "key_died",
  "channel_out",
  "channel_invalid",
  "webhook_failing",
  "disk_full",
  "low_usage_report",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const kindList = (description: string, value?: readonly NoticeKind[]) =>
  Type.Array(Type.Enum(noticeKinds), {
    uniqueItems: true,
    ...(value && { default: [...value] }),
    description,
  });

const timeOfDay = (description: string) =>
  Type.Refine(
    Type.String({ description }),
    (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text),
    () => "must be a time of day, such as 22:00",
  );

const hookUrl = Type.Refine(
  Type.String({ maxLength: 2048, description: "Where a webhook, slack or feishu is called." }),
  (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
  () => "must be an http or https address",
);

const closed = { additionalProperties: false } as const;

const Destination = Type.Object(
  {
    name: name("What it is called; each has its own."),
    type: Type.Enum(["webhook", "email", "slack", "feishu"], { description: "How it is told." }),
    hook_url: Type.Optional(hookUrl),
    secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "What a webhook or feishu is signed with. Default: root's; none for feishu.",
      }),
    ),
    to: Type.Optional(
      Type.Array(address("An address."), {
        minItems: 1,
        maxItems: 50,
        description: "Who gets the e-mail.",
      }),
    ),
    kinds: Type.Optional(kindList("What it is told of. Default: everything.")),
  },
  closed,
);
export type DestinationSettings = Readonly<Static<typeof Destination>>;

const Quiet = Type.Object(
  {
    from: timeOfDay("When it begins."),
    to: timeOfDay("When it ends."),
    zone: Type.Optional(
      Type.Refine(
        Type.String({ maxLength: 64, description: "Whose time that is. Default: UTC." }),
        isZoneName,
        () => "must be the IANA name of a time zone",
      ),
    ),
    except: Type.Optional(kindList("What is told at once all the same. Default: disk_full.")),
  },
  { ...closed, description: "A time of day in which nothing is sent; it waits until its end." },
);

function areComplete(list: readonly DestinationSettings[]): boolean {
  const isUnique = new Set(list.map((one) => one.name)).size === list.length;
  return isUnique && list.every((one) => (one.type === "email" ? one.to : one.hook_url));
}

export const noticesSection = convertedSection(
  "Who is told when something needs a person.",
  {
    check_seconds: nextStart(
      wholeSetting("How often it is looked whether there is something to tell.", {
        default: 30,
        maximum: 3600,
      }),
    ),
    ...each(live, {
      low_balance_micros: wholeSetting(
        "An account with less left is low, in millionths of a US dollar; 0: none is.",
        { default: 1_000_000, minimum: 0, maximum: 1_000_000_000_000 },
      ),
      low_key_percent: wholeSetting("A key with less left of its limit is low; 0: none is.", {
        default: 10,
        minimum: 0,
        maximum: 100,
      }),
      channel_out_minutes: wholeSetting("How long a channel has to be put aside.", {
        default: 10,
        minimum: 0,
        maximum: 10_080,
      }),
      webhook_tries: wholeSetting(
        "Failed tries of one callback after which its address is failing.",
        {
          default: 5,
          maximum: 10,
        },
      ),
      disk_free_percent: wholeSetting("A disk with less free is nearly full; 0: none is.", {
        default: 10,
        minimum: 0,
        maximum: 100,
      }),
      quiet: Type.Optional(Quiet),
      destinations: Type.Refine(
        Type.Array(Destination, {
          maxItems: 50,
          default: [],
          description: "Who is told, and how.",
        }),
        areComplete,
        () => "must have names of their own, a hook_url each, or for email addresses in to",
      ),
    }),
    smtp: Type.Optional(SmtpServer),
  },
  // The server is read as that of `mail`, of which this is the older place.
  ({ quiet, smtp: _smtp, ...notices }) => ({
    ...notices,
    quiet: quiet ? { zone: "UTC", except: ["disk_full" as const], ...quiet } : null,
  }),
);
