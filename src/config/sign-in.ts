// Settings of signing in and of the sessions that it opens.
import { Type } from "../core/schema.ts";
import { convertedSection, each, live, section, wholeSetting } from "./setting.ts";

export const signInSection = section(
  "What signing in demands.",
  each(live, {
    admin_second_factor: Type.Enum(["optional", "required"], {
      default: "optional",
      description:
        "Whether admins need a second factor; without one they can then only set one up.",
    }),
    link: Type.Enum(["on", "off"], {
      default: "off",
      description: "Whether people may sign in by a link that they are sent by e-mail.",
    }),
  }),
);

function lifetime(description: string, value: number) {
  return wholeSetting(description, { default: value, maximum: 31_536_000 });
}

export const sessionsSection = convertedSection(
  "How long a browser stays signed in.",
  each(live, {
    idle_seconds: lifetime("Time without a request after which a session ends.", 86_400),
    absolute_seconds: lifetime("Time after which a session ends in any case.", 1_209_600),
  }),
  ({ idleSeconds, absoluteSeconds }) => ({
    idleMs: idleSeconds * 1000,
    absoluteMs: absoluteSeconds * 1000,
  }),
);
